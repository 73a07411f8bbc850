import { startServerClient } from './bench/editor/server-client.ts';
import { generateService, neighbours } from './bench/generated-service.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const dir='/tmp/perf/coldp'; mkdirSync(dir+'/src',{recursive:true}); for (const [n,t] of Object.entries(neighbours)) writeFileSync(dir+'/src/'+n,t as string);
writeFileSync(dir+'/package.json','{ "name": "shop-api", "type": "module", "dependencies": { "pg": "^8" } }');
const text=generateService(500,15); writeFileSync(dir+'/src/service.ts',text);
const uri=pathToFileURL(dir+'/src/service.ts').href;
const argv=process.argv[2]==='prof'?['--cpu-prof','--cpu-prof-interval','500','--cpu-prof-dir=/tmp/perf/cold']:[];
for (let i=0;i<(argv.length?1:6);i++){ const t=performance.now(); const c=await startServerClient(dir,{execArgv:argv}); const t1=performance.now(); await c.open(uri,text); await c.diagnostics(uri); const t2=performance.now();
 await c.insert(uri,2,{line:0,character:0},'\n'); await c.diagnostics(uri); const t3=performance.now(); console.log('init',t1-t|0,'first',t2-t1|0,'second',t3-t2|0); await c[Symbol.asyncDispose](); }
