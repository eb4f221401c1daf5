"""Runs native/kernels/weighted-fixed-point.cu on the host, threads in place of CUDA's, and compares every number.

    python3 test/emulated/weighted-fixed-point.py ['old text=>new text' ...]

The few lines of assembler become C++; everything else is the kernel as it is. A second form takes texts to replace,
to see that a wrong kernel is found. It needs g++ and CUDA's headers; nothing runs it by itself.
"""
import re, subprocess, sys, tempfile
from pathlib import Path

native = Path(__file__).resolve().parents[2] / "native"
s=(native / 'kernels' / 'weighted-fixed-point.cu').read_text()
for a in sys.argv[1:]:
    o,n=a.split('=>'); assert o in s,o; s=s.replace(o,n)
s=re.sub(r'#include "launch.cuh"\n','',s)
s=s.replace('#include "../limits.cuh"','#include "limits.cuh"').replace('#include "../weighted.cuh"','#include "weighted.cuh"')
# loads
s=re.sub(r'asm volatile\("ld\.global\.nc\.L1::no_allocate\.u16.*?;\n','std::memcpy(&bits, from, 2);\n',s,flags=re.S)
s=re.sub(r'asm volatile\("ld\.global\.nc\.L1::no_allocate\.u32.*?;\n','std::memcpy(&bits, from, 4);\n',s,flags=re.S)
s=re.sub(r'asm volatile\("ld\.global\.nc\.L1::no_allocate\.v2.*?\)\);\n','std::memcpy(&low, from, 4); std::memcpy(&high, from + 4, 4);\n',s,flags=re.S)
s=re.sub(r'asm volatile\("ld\.global\.nc\.L1::no_allocate\.v4.*?\)\);\n','std::memcpy(&four, static_cast<const int32_t *>(numbers) + first, 16);\n',s,flags=re.S)
s=re.sub(r'asm volatile\("red\.shared.*?\)\);\n','emuAdd(word, amount);\n',s,flags=re.S)
s=re.sub(r'asm volatile\("atom\.shared.*?\)\);\n','before = emuAdd(word, static_cast<uint32_t>(amount));\n',s,flags=re.S)
s=re.sub(r'asm volatile\("".*?\);','',s)
s=s.replace('extern __shared__ uint4 memory[];','uint4 *const memory = reinterpret_cast<uint4 *>(emuShared);')
s=s.replace('__grid_constant__','').replace('__launch_bounds__(limits::PER_LANE_THREADS, 1)','')
s=s.replace('const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);','const cudaError_t refused = cudaSuccess;')
s=re.sub(r'kernel<<<.*?>>>\(in, plan\);','emulate(grid, plan.threads, plan.sharedBytes, [&] { kernel(in, plan); });',s)
s=s.replace('return cudaGetLastError();','return cudaSuccess;')
assert 'asm' not in s.replace('// ',''), re.findall('.*asm.*',s)
pre=r'''
#include <cstring>
#include <thread>
#include <barrier>
#include <vector>
#include <atomic>
#include <functional>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <algorithm>
#include <cuda_runtime.h>
#undef __device__
#undef __global__
#undef __forceinline__
#define __device__
#define __global__
#define __forceinline__ inline
static uint32_t emuShared[1<<16];
static uint32_t emuWords;
thread_local uint3 tIdx; static uint3 bIdx; static dim3 bDim;
#define threadIdx tIdx
#define blockIdx bIdx
#define blockDim bDim
static std::barrier<> *bar; 
static std::vector<std::barrier<> *> warpBar;
static long long warpBox[32][32];
inline void __syncthreads(){ bar->arrive_and_wait(); }
template <class T> T __shfl_xor_sync(unsigned, T v, uint32_t by){ uint32_t w=tIdx.x/32,l=tIdx.x%32; warpBox[w][l]=(long long)v; warpBar[w]->arrive_and_wait(); T r=(T)warpBox[w][l^by]; warpBar[w]->arrive_and_wait(); return r; }
inline uint32_t emuAdd(uint32_t addr,uint32_t v){ if(addr%4||addr/4>=emuWords){std::printf("address %u\n",addr);std::abort();} return __atomic_fetch_add(&emuShared[addr/4],v,__ATOMIC_RELAXED);}
inline size_t __cvta_generic_to_shared(const void *p){ return (const char*)p-(const char*)emuShared; }
template<class T> T __ldg(const T*p){return *p;}
using std::min;
inline unsigned long long atomicAdd(unsigned long long*p,unsigned long long v){return __atomic_fetch_add(p,v,__ATOMIC_RELAXED);}
inline void emulate(dim3 g,uint32_t threads,uint32_t bytes,const std::function<void()>&f){
  bDim=dim3(threads); emuWords=bytes/4; std::barrier<> b(threads); bar=&b; warpBar.clear(); for(uint32_t w=0;w<threads/32;w++) warpBar.push_back(new std::barrier<>(32));
  for(uint32_t z=0;z<g.z;z++)for(uint32_t y=0;y<g.y;y++)for(uint32_t x=0;x<g.x;x++){ bIdx={x,y,z}; std::memset(emuShared,0xab,sizeof emuShared);
    std::vector<std::thread> ts; for(uint32_t t=0;t<threads;t++) ts.emplace_back([&,t]{tIdx={t,0,0}; f();}); for(auto&t:ts)t.join();
    for(uint32_t i=emuWords;i<(1<<16);i++) if(emuShared[i]!=0xabababab){std::printf("past shared %u\n",i);std::abort();} }
}
'''
post=r'''
#include "rows.h"
using namespace polybin;
static bool rowsRight(){
  for(uint64_t row:{1u,3u,7u,64u}) for(uint64_t first=0;first<20;first++) for(uint64_t bytes=0;bytes<200;bytes++){ uint64_t at=first;
    for(const RowPart&p:partsOfRows(first,bytes,row)){ if(p.row*row+p.column!=at||p.column+p.width>row||(p.rows>1&&p.width!=row)||p.rows==0) return false; at+=p.width*p.rows; }
    if(at!=first+bytes) return false; }
  return true;
}
int main(){
  if(!rowsRight()){std::printf("WRONG rows\n");return 1;}
  std::mt19937 rng(7); int cases=0;
  struct C{ValueType t;uint32_t bins,binsPerPass;uint32_t R,fpb,threads;bool wide,sq;};
  const C cs[]={{ValueType::u8,256,256,32,2,64,false,false},{ValueType::u8,100,100,16,2,64,false,true},{ValueType::u8,7,7,32,2,64,false,true},{ValueType::u8,30,12,32,2,32,false,false},
    {ValueType::u4,16,16,32,2,64,false,false},{ValueType::u4,3,3,8,1,64,false,true},{ValueType::u16,60,60,8,1,64,false,false},{ValueType::u16,30,30,4,2,64,false,true},
    {ValueType::u16,700,700,4,2,64,true,false},{ValueType::u16,1300,500,2,1,64,true,true},{ValueType::u16,900,300,1,2,32,true,true}};
  for(const C&c:cs) for(int list=0;list<2;list++) for(uint32_t docs:{1u,5u,511u,2055u,9001u,70001u}) {
    const uint32_t rowsN=5; if(c.fpb*c.binsPerPass>c.threads && !c.wide && false) continue;
    uint32_t threads=c.threads; if(!c.wide) while(c.fpb*c.binsPerPass>threads) threads*=2;
    uint32_t N=docs*2; uint64_t rowBytes=c.t==ValueType::u4?(N+1)/2:c.t==ValueType::u8?N:2*N; uint64_t pitch=(rowBytes+15)/16*16;
    std::vector<uint8_t> v(rowsN*pitch+32,0xff); std::vector<std::vector<uint32_t>> val(rowsN,std::vector<uint32_t>(N));
    for(uint32_t r=0;r<rowsN;r++)for(uint32_t d=0;d<N;d++){uint32_t x=docs==70001?(d>>1)%64==63:rng()%3==0?0:rng()%c.bins; val[r][d]=x; uint8_t*p=&v[r*pitch];
      if(c.t==ValueType::u4){p[d/2]=(d&1)?(p[d/2]&15)|x<<4:(p[d/2]&0xf0)|x;}else if(c.t==ValueType::u8)p[d]=x;else{p[2*d]=x;p[2*d+1]=x>>8;}}
    std::vector<int32_t> w(docs+8,12345),q(docs+8,777); int Q=docs%2?1048575:(1<<30);
    if(!c.wide) Q=1048575;
    for(uint32_t d=0;d<docs;d++){w[d]=(int)(rng()%(2*(uint32_t)Q+1))-Q; if(docs==9001||docs==70001)w[d]=Q; q[d]=rng()%(Q+1u);}
    std::vector<uint32_t> l(docs+8,0xffffffffu); for(uint32_t d=0;d<docs;d++) l[d]=2*d+(rng()&1);
    std::vector<WeightedFeature> fs={{4,noSkip},{0,0},{2,noSkip},{1,1},{3,noSkip}};
    uint32_t kinds=c.sq?3:2; std::vector<Count> tot(rowsN*kinds*c.bins,0);
    uint32_t planes=1+(c.wide?2:1)*(c.sq?2:1);
    for(uint32_t segs:{1u,3u}){ std::fill(tot.begin(),tot.end(),0);
    WeightedPlan p{}; p.type=c.t;p.wide=c.wide;p.squares=c.sq;p.bins=c.bins;p.binsPerPass=c.binsPerPass;p.passes=(c.bins+c.binsPerPass-1)/c.binsPerPass;p.threads=threads;p.replicas=c.R;p.featuresPerBlock=c.fpb;p.sharedBytes=c.fpb*c.binsPerPass*c.R*planes*4;
    if(p.sharedBytes>sizeof emuShared){std::printf("too big\n");return 1;}
    p.segments=segs;p.segmentDocuments=((docs+segs-1)/segs+31)/32*32; p.flushDocuments=c.wide?0:std::max(1u,2048*c.R/threads)*threads;
    WeightedInput in{}; in.values=v.data();in.pitch=pitch;in.documents=docs;in.weights=w.data();in.squares=c.sq?q.data():nullptr;in.list=list?l.data():nullptr;in.features=fs.data();in.count=rowsN;in.totals=tot.data();
    weightedFixedPoint(in,p,nullptr);
    for(uint32_t f=0;f<rowsN;f++){ std::vector<long long> C(c.bins),S(c.bins),Z(c.bins); for(uint32_t d=0;d<docs;d++){uint32_t x=val[fs[f].row][list?l[d]:d]; if(x==fs[f].skip)continue; C[x]++;S[x]+=w[d];Z[x]+=q[d];}
      for(uint32_t b=0;b<c.bins;b++){ const Count*t=&tot[f*kinds*c.bins]; if((long long)t[b]!=C[b]||(long long)t[c.bins+b]!=S[b]||(c.sq&&(long long)t[2*c.bins+b]!=Z[b])){std::printf("WRONG type %d bins %u docs %u list %d segs %u feature %u bin %u: %lld %lld, expected %lld %lld\n",(int)c.t,c.bins,docs,list,segs,f,b,(long long)t[b],(long long)t[c.bins+b],C[b],S[b]);return 1;}}}
    cases++; }
  }
  std::printf("%d cases right\n",cases);
}
'''
s=s.replace('namespace polybin {\nnamespace {',"namespace polybin {\nnamespace {",1)
with tempfile.TemporaryDirectory() as folder:
    source, program = Path(folder) / "emulated.cc", Path(folder) / "emulated"
    source.write_text(pre + s + post)
    dryrun = subprocess.run(["nvcc", "--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null"], capture_output=True, text=True).stderr
    top = re.search(r"#\$ TOP=(.*)", dryrun).group(1)
    subprocess.run(["g++", "-std=c++20", "-O1", "-I", native, "-I", f"{top}/include", source, "-o", program, "-lpthread"], check=True)
    sys.exit(subprocess.run([program]).returncode)
