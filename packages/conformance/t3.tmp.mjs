import { covering } from "/work/conf/packages/conformance/src/combinations/pairs.ts";
import { valuesFor,nameOf } from "/work/conf/packages/conformance/src/combinations/parts.ts";
import { combinationsFor } from "/work/conf/packages/conformance/src/combinations/index.ts";
import { checkRequest } from "/work/conf/packages/conformance/src/combinations/check.ts";
import { requestOf } from "/work/conf/packages/conformance/src/combinations/request.ts";
import { refusalOf } from "/work/conf/packages/conformance/src/combinations/refusals.ts";
import { Checker } from "/work/conf/packages/conformance/src/checker.ts";
import { cpu, openEngine } from "@polybin/core";
const backend=cpu(); const engine=await openEngine({backend});
const req={slugs:backend.algorithms.map(a=>a.slug),methods:backend.weighted.filter(a=>!("candidates" in a)),weighted:backend.weighted.map(a=>a.slug)};
const SEED=Number(process.argv[4]??2);const values=valuesFor({slugs:[],methods:[]});
const judge=(of)=>{const r=refusalOf(of,true);return r===null?"counted":r.ofDevice?"by some devices":"refused"};
const all=[];for(let s=SEED;s<SEED+5;s++)for(const of of covering(values,[],judge,s)){if(refusalOf(of,true)?.code===null)continue;all.push({name:nameOf(of)+" #"+s,of,seed:all.length+1000*s})}
const pat=process.argv[2]?new RegExp(process.argv[2]):/./;
const c0=process.cpuUsage(); let n={};const slow=[];
const seen={};
for(const {name,of,seed} of all){ if(!pat.test(name)) continue;
  const check=new Checker(); const t=performance.now(); let s;
  try{ await checkRequest({engine,check,backend},name,requestOf(of,seed),refusalOf(of,true)); check.finish(); s="passed"}
  catch(e){ s=e.name==="Skip"?"skipped":"failed"; if(s==="failed"){const m=e.message.slice(0,process.argv[3]?3000:330);const k=m.replace(name,"").slice(0,120);seen[k]=(seen[k]??0)+1;if(seen[k]<3)console.log("-- ",name,"\n    ",m, process.argv[3]?e.stack:"")}}
  n[s]=(n[s]??0)+1; slow.push([performance.now()-t,name]);
}
const u=process.cpuUsage(c0);console.log(n,"cpu",(u.user+u.system)/1e6);
console.log(slow.sort((a,b)=>b[0]-a[0]).slice(0,8).map(([a,b])=>Math.round(a)+" "+b).join("\n"));
