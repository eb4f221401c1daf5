import { normal, SIMPLEST, PART_NAMES, nameOf } from "/work/conf/packages/conformance/src/combinations/parts.ts";
import { simplestWith } from "/work/conf/packages/conformance/src/combinations/pairs.ts";
import { checkRequest } from "/work/conf/packages/conformance/src/combinations/check.ts";
import { requestOf } from "/work/conf/packages/conformance/src/combinations/request.ts";
import { refusalOf } from "/work/conf/packages/conformance/src/combinations/refusals.ts";
import { Checker } from "/work/conf/packages/conformance/src/checker.ts";
import { cpu, openEngine } from "@polybin/core";
const engine=await openEngine({backend:cpu()});
const run=async(of,seed)=>{const check=new Checker();try{await checkRequest({engine,check},"x",requestOf(of,seed),refusalOf(of,true));check.finish();return null}catch(e){return e.name==="Skip"?null:e.message}};
let of={...SIMPLEST,type:"i16",axis:"data",layout:"region at the border",input:"unaligned",columns:"six",otherType:"u64",otherAxis:"variable infinite",otherInput:"resident",size:"64",mask:"file",list:"some",rows:"tiles"};
let seed;
for(let s=5000;s<5500&&seed===undefined;s++){if(await run(of,s))seed=s}
console.log(seed);
for(const p of PART_NAMES){const o=normal({...of,[p]:SIMPLEST[p]});if(refusalOf(o,true)===null&&await run(o,seed))of=o}
console.log(nameOf(of));console.log((await run(of,seed)).slice(0,3000));console.log(JSON.stringify(requestOf(of,seed)));
