// Generated from the modules in this folder by `npm run --prefix .ci/js build`. Do not edit.
// sources: 1f26c9dae541aeac22de364fbab128507bc818f76890a09b89988bb665ddc5f3
// program: activity
(() => { "use strict";
var{apply}=Reflect;var{getOwnPropertyDescriptor}=Object;var{stringify}=JSON;var{addEventListener}=EventTarget.prototype;
var{preventDefault}=Event.prototype;var{get:lookUp,set:store}=WeakMap.prototype;var{get:elementOf}=getOwnPropertyDescriptor(
MouseEvent.prototype,"relatedTarget");var KEPT=["role","ariaChecked","ariaCurrent","ariaDisabled","ariaExpanded","ariaHa\
sPopup","ariaInvalid","ariaLabel","ariaPressed","ariaReadOnly","ariaSelected","ariaValueNow","ariaValueText"];var readers=[];
for(const key of KEPT){const read=getOwnPropertyDescriptor(ElementInternals.prototype,key)?.get;if(read)readers.push({attribute:key.
toLowerCase().replace("aria","aria-"),read})}function keepInternals(replace,name,answer){const kept=new WeakMap;replace(
HTMLElement.prototype,"attachInternals",{apply(native,self2,args){const internals=apply(native,self2,args);apply(store,kept,
[self2,internals]);return internals}});apply(addEventListener,performance,[name,event=>{const internals=apply(lookUp,kept,
[apply(elementOf,event,[])]);if(!internals)return;apply(preventDefault,event,[]);const held={__proto__:null};for(let i=0;i<
readers.length;i++){const value=apply(readers[i].read,internals,[]);if(value!==null)held[readers[i].attribute]=value}answer(
stringify(held))}])}var MAX_TIMER_MS=1e3;var MAX_LATE_MS=5e3;var MAX_WORK_MS=3e4;var MAX_ANSWER_MS=2e3;var MAX_SOCKET_MS=500;var MAX_MS={__proto__:null,
frame:250,worker:MAX_WORK_MS,connection:300,join:1e3,socket:MAX_SOCKET_MS};var MAX_RECORDS=500;var MAX_LABELS=200;var MAX_LINES=20;
var MAX_DEPTH=5;var MAX_ROUNDS=2;var MIN_POLL_MS=500;var MIN_REPEATS=2;var MICROTASKS=16;var SOON_MS=100;var EFFECT_MS=500;
var MAX_LOOP_MS=700;var INPUTS=["pointerdown","mousedown","mouseup","click","keydown","input","change"];var{apply:apply2}=Reflect;
var{now}=Date;var{endsWith}=String.prototype;var{toString}=Function.prototype;var enqueue=queueMicrotask;var listen=EventTarget.
prototype.addEventListener;var stateOf=Object.getOwnPropertyDescriptor(Document.prototype,"readyState").get;var pending={
__proto__:null};var rounds={__proto__:null};var[labels,count,last]=[0,0,0];var cause=null;var finished=null;var[finishedAt,
loadedAt,polledAt]=[0,0,0];var[isTouched,hasStream]=[false,false];var startedAt=now();var[begin,end]=[0,0];var isWatched=false;
var onFinish=()=>void 0;function watchBoot(report){onFinish=report;self.addEventListener("load",()=>{loadedAt=now()},{capture:true,
once:true});listenToInput()}var touch=event=>{isTouched||=event.isTrusted};var listenToInput=()=>{for(let i=0;i<INPUTS.length;i++)
apply2(listen,self,[INPUTS[i],touch,{capture:true,passive:true}])};var isStarting=()=>!isTouched;var isBooting=time=>!isTouched&&
(apply2(stateOf,document,[])!=="complete"||loadedAt!==0&&time-loadedAt<SOON_MS);var isWithin=time=>time>=begin&&time<=end;
var isNamedPoll=label=>apply2(endsWith,label,["poll"])||apply2(endsWith,label,["polling"]);var isPolling=record=>{const times=rounds[record.
label];if(times===void 0)return false;let since=0;for(let i=0;i<3;i++)if(times[i]>=begin)since+=1;return since>MAX_ROUNDS&&
record.at>=times[2]};var isLate=record=>record.kind==="late"||record.kind==="request"&&!record.isRepeat&&!isNamedPoll(record.
label)&&now()-record.at<MAX_WORK_MS;var isCaused=record=>{const isAnimation=record.kind==="frame"&&isWithin(record.origin)&&
now()-record.origin<MAX_LOOP_MS;if(record.kind==="late"||!isAnimation&&(record.depth>MAX_DEPTH||record.isRepeat))return false;
if(now()-record.at>MAX_MS[record.kind])return false;const isRoot=isWithin(record.origin)||isWithin(record.other)||record.
isBoot&&startedAt>=begin;if(record.kind!=="request")return isRoot;if(isNamedPoll(record.label)&&now()-record.at>MAX_TIMER_MS)
return false;return(isRoot||record.depth===0&&record.at>=begin)&&!isPolling(record)};var contextOf=(at,fn)=>{const other=at-
finishedAt<SOON_MS&&finished!==null?finished.origin:0;return{__proto__:null,origin:cause===null?at:cause.origin,depth:cause===
null?0:cause.depth+1,isBoot:cause===null?isBooting(at):cause.isBoot,other:cause===null?other:cause.other,slow:cause===null?
"":cause.slow,repeats:cause===null?0:cause.repeats,isRepeat:false,fn}};var start=(kind,label,context,at)=>{if(count>=MAX_RECORDS)
return null;count+=1;last+=1;const{origin,depth,isBoot,other,isRepeat}=context;const record={__proto__:null,id:last,kind,
label,at,origin,depth,isBoot,other,isRepeat,context};pending[last]=record;return record};var noteSlow=record=>{if(now()-
record.at>MIN_POLL_MS)record.context.slow=record.label};var finish=record=>{if(record===null||pending[record.id]===void 0)
return;delete pending[record.id];count-=1;if(record.kind==="request"||record.label==="socket"){finishedAt=now();finished=
record;noteSlow(record);const times=rounds[record.label];if(times!==void 0)times[3]=1}if(isWatched&&isCaused(record))onFinish()};
var linger=context=>{cause=context;let left=MICROTASKS;const step=()=>{if(cause!==context)return;left-=1;if(left>0)enqueue(
step);else cause=null};enqueue(step)};var run=(context,fn,self2,given)=>{const before=cause;cause=context;try{return apply2(
fn,self2,given)}finally{if(before===null)linger(context);else cause=before}};var enter=context=>{cause=context};var leave=context=>{
if(cause===context)cause=null};var isRepeated=fn=>cause!==null&&cause.fn!==null&&(fn===cause.fn||apply2(toString,fn,[])===
apply2(toString,cause.fn,[]));var notePush=()=>{polledAt=now()};var noteStream=()=>{hasStream=true};var startRequest=label=>{
const at=now();if(rounds[label]===void 0){if(labels>=MAX_LABELS){rounds={__proto__:null};labels=0}labels+=1;rounds[label]=
[0,0,at,0]}else if(rounds[label][3]===1){rounds[label]=[rounds[label][1],rounds[label][2],at,0]}if(cause!==null&&(cause.
isRepeat||cause.depth>=MAX_DEPTH))polledAt=at;const context=contextOf(at,null);context.repeats=context.slow===label?context.
repeats+1:0;context.isRepeat=context.repeats>=(isNamedPoll(label)?1:MIN_REPEATS);return start("request",label,context,at)};
function unfinished(time,since,until){begin=since;end=until;let lines="";let lineCount=0;let isRestless=hasStream||time-
polledAt<MAX_LATE_MS||count>=MAX_RECORDS;for(const id in pending){if(lineCount>=MAX_LINES)break;isRestless||=isLate(pending[id]);
if(isCaused(pending[id])){lineCount+=1;const isOld=pending[id].kind==="worker"&&time-pending[id].at>MAX_ANSWER_MS;lines+=
isOld?"	\n":`${pending[id].label}
`}}if(lineCount===0&&finished!==null&&time-finishedAt<EFFECT_MS&&isCaused(finished))lines="\r\n";isWatched=lineCount>0;return isRestless?
`${lines}\v
`:lines}var MAX_CHARACTERS=200;var{apply:apply3}=Reflect;var{slice,startsWith}=String.prototype;var NativeURL=URL;var NativeRequest=Request;
var getter=(of,key)=>Object.getOwnPropertyDescriptor(of,key)?.get;var baseOf=getter(Node.prototype,"baseURI");var urlOf=getter(
NativeRequest.prototype,"url");var methodOf=getter(NativeRequest.prototype,"method");var modeOf=getter(NativeRequest.prototype,
"mode");var hrefOf=getter(NativeURL.prototype,"href");var originOf=getter(NativeURL.prototype,"origin");var pathOf=getter(
NativeURL.prototype,"pathname");function labelFor(method,url){try{const link=new NativeURL(url,apply3(baseOf,document,[]));
const own=new NativeURL(apply3(baseOf,document,[]));const isOwn=apply3(originOf,link,[])===apply3(originOf,own,[]);const path=apply3(
pathOf,link,[]);return apply3(slice,`${method} ${isOwn?path:apply3(originOf,link,[])+path}`,[0,MAX_CHARACTERS])}catch{return"\
request"}}function labelOfFetch(args){const given=args[0];const options=args[1]??null;const isRequest=given instanceof NativeRequest;
if(options?.keepalive===true||options?.mode==="no-cors")return null;if(isRequest&&apply3(modeOf,given,[])==="no-cors")return null;
const method=options?.method??(isRequest?apply3(methodOf,given,[]):"GET");const url=addressOf(given);return typeof url===
"string"&&typeof method==="string"?labelFor(method,url):labelFor("GET","")}function addressOf(given){if(given instanceof
NativeRequest)return apply3(urlOf,given,[]);return given instanceof NativeURL?apply3(hrefOf,given,[]):given}function fetchedUrl(given){
try{const url=apply3(hrefOf,new NativeURL(addressOf(given),apply3(baseOf,document,[])),[]);return apply3(startsWith,url,
["http"])?url:""}catch{return""}}var MAX_UNANSWERED=3;var{now:now2}=Date;var later=setTimeout;var{apply:apply4,construct,defineProperty}=Reflect;var{addEventListener:addEventListener2}=EventTarget.
prototype;var{get:urlOf2}=Object.getOwnPropertyDescriptor(EventSource.prototype,"url");var{get:lookUp2,set:store2}=WeakMap.
prototype;function trackAnswers(replace){const page=self;const peers=new WeakMap;const listen2=(peer,event,listener)=>apply4(
addEventListener2,peer,[event,listener]);const present=()=>contextOf(now2(),null);const lead=context=>{enter(context);apply4(
later,page,[()=>leave(context)])};const isSilent=record=>record.kind==="worker"||now2()-record.at>MAX_SOCKET_MS;const follow=(peer,kind)=>{
const known={__proto__:null,record:null,unanswered:0};apply4(store2,peers,[peer,known]);listen2(peer,"message",()=>{const{
record}=known;known.record=null;if(record!==null||kind==="worker")known.unanswered=0;if(record===null)return;lead(record.
context);finish(record)});return known};const sending=kind=>({apply(native,self2,args){const result=apply4(native,self2,
args);const known=apply4(lookUp2,peers,[self2]);const context=present();if(!known||kind==="worker"&&context.isBoot||known.
record?.origin===context.origin)return result;if(known.record!==null&&isSilent(known.record))known.unanswered+=1;finish(
known.record);const isMute=known.unanswered>=MAX_UNANSWERED;known.record=isMute?null:start(context.isBoot?"join":kind,kind,
context,now2());return result}});const making=(name,onMade)=>{const native=page[name];if(typeof native!=="function")return;
const proxy=replace(page,name,{construct(_,args,target){const made=construct(native,args,target===proxy?native:target);onMade(
made);return made}});if(proxy)defineProperty(native.prototype,"constructor",{__proto__:null,value:proxy})};making("Worke\
r",worker=>follow(worker,"worker"));replace(Worker.prototype,"postMessage",sending("worker"));replace(WebSocket.prototype,
"send",sending("socket"));making("WebSocket",socket=>{const known=follow(socket,"socket");const context=present();known.
record=start("connection","socket",context,now2());const end2=()=>{lead(context);finish(known.record);known.record=null};
listen2(socket,"open",end2);listen2(socket,"close",end2);listen2(socket,"message",notePush)});making("EventSource",stream=>{
noteStream();const record=isStarting()?null:start("join",labelFor("GET",apply4(urlOf2,stream,[])),present(),now2());if(record===
null)return;apply4(store2,peers,[stream,{__proto__:null,record}]);listen2(stream,"message",()=>{record.kind="socket";record.
at=now2()})});replace(EventSource.prototype,"close",{apply(native,self2,args){const known=apply4(lookUp2,peers,[self2]);
if(known)finish(known.record);return apply4(native,self2,args)}})}var MAX_RECORDS2=50;var{apply:apply5,getOwnPropertyDescriptor:getOwnPropertyDescriptor2}=Reflect;var Observer=PerformanceObserver;
var{observe}=Observer.prototype;var{getEntries}=PerformanceObserverEntryList.prototype;var{get:nameOf}=getOwnPropertyDescriptor2(
PerformanceEntry.prototype,"name");function trackStreams({wrapGetter,recordOf}){const records={__proto__:null};let count2=0;
wrapGetter(Response.prototype,"body",(body,answer)=>{const record=recordOf(answer);if(body===null||record===void 0||record.
url===""||record.isReceived||record.stream)return;record.stream=start("request",record.label,record.context,record.at)});
const receive=url=>{for(let i=0;i<MAX_RECORDS2;i++){const record=records[(count2+i)%MAX_RECORDS2];if(record===void 0||record.
url!==url||record.isReceived)continue;record.isReceived=true;if(record.stream)finish(record.stream);return}};const observer=new Observer(
list=>{const entries=apply5(getEntries,list,[]);for(let i=0;i<entries.length;i++)receive(apply5(nameOf,entries[i],[]))});
apply5(observe,observer,[{__proto__:null,type:"resource"}]);return(record,url)=>{record.url=isStarting()?"":url;records[count2%
MAX_RECORDS2]=record;count2+=1}}function trackActivity(name){const page=self;const channel=performance;const{apply:apply6,defineProperty:defineProperty2}=Reflect;
const{getOwnPropertyDescriptor:getOwnPropertyDescriptor3}=Object;const{now:now3}=Date;const[Question,Answer]=[MouseEvent,
InputEvent];const{dispatchEvent,addEventListener:addEventListener3}=EventTarget.prototype;const{preventDefault:preventDefault2}=Event.
prototype;const{then}=Promise.prototype;const{get:lookUp3,set:store3}=WeakMap.prototype;const{slice:slice2}=String.prototype;
const getter2=(of,key)=>getOwnPropertyDescriptor3(of,key).get;const sinceBegin=getter2(Question.prototype,"screenX");const sinceEnd=getter2(
Question.prototype,"screenY");const readyStateOf=getter2(XMLHttpRequest.prototype,"readyState");const[natives,requests]=[
new WeakMap,new WeakMap];const handles={__proto__:null};const dispatch=(suffix,data)=>apply6(dispatchEvent,channel,[new Answer(
name+suffix,{__proto__:null,cancelable:true,data})]);if(!dispatch("",null))return;watchBoot(()=>dispatch("~",null));const replace=(of,key,handler)=>{
const descriptor=getOwnPropertyDescriptor3(of,key);if(!descriptor||typeof descriptor.value!=="function"||!descriptor.configurable)
return void 0;const native=descriptor.value;const proxy=new Proxy(native,{__proto__:null,...handler});apply6(store3,natives,
[proxy,native]);defineProperty2(of,key,{...descriptor,value:proxy});return proxy};const isDelay=delay=>(typeof delay==="\
number"||typeof delay==="string")&&+delay>0;const scheduling=kind=>({apply(native,self2,args){const fn=args[0];if(typeof fn!==
"function")return apply6(native,self2,args);const at=now3();const context=contextOf(at,fn);context.isRepeat=isRepeated(fn);
if(kind==="interval")context.depth=MAX_DEPTH;const delay=kind==="timer"&&isDelay(args[1])?+args[1]:0;const isKept=kind===
"frame"||kind==="timer"&&delay<=MAX_LATE_MS;const kept=delay<=MAX_TIMER_MS?kind:"late";const record=isKept?start(kept,kind===
"frame"?"frame":`timer ${delay|0} ms`,context,at):null;let handle=0;args[0]=function(...given){if(kind!=="interval")delete handles[handle];
try{return run(context,fn,this,given)}finally{finish(record)}};handle=(kind==="frame"?"f":"")+apply6(native,self2,args);
if(record!==null)handles[handle]=record;return kind==="frame"?+apply6(slice2,handle,[1]):+handle}});const cancelling=prefix=>({
apply(native,self2,args){const key=prefix+(typeof args[0]==="number"||typeof args[0]==="string"?args[0]:"");const record=handles[key];
if(record!==void 0){delete handles[key];finish(record)}return apply6(native,self2,args)}});const startFetch=args=>{try{const label=labelOfFetch(
args);if(label===null)return null;const record=startRequest(label);if(record!==null)noteFetch(record,fetchedUrl(args[0]));
return record}catch{return null}};const following=(promise,record,isAnswer)=>apply6(then,promise,[value=>{if(isAnswer)apply6(
store3,requests,[value,record]);linger(record.context);finish(record);return value},error=>{linger(record.context);finish(
record);throw error}]);const noteFetch=trackStreams({wrapGetter:(of,key,onRead)=>{const descriptor=getOwnPropertyDescriptor3(
of,key);const reading=(native,self2,args)=>{const value=apply6(native,self2,args);onRead(value,self2);return value};const get=new Proxy(
descriptor.get,{__proto__:null,apply:reading});apply6(store3,natives,[get,descriptor.get]);defineProperty2(of,key,{...descriptor,
get})},recordOf:answer=>apply6(lookUp3,requests,[answer])});replace(page,"setTimeout",scheduling("timer"));replace(page,
"setInterval",scheduling("interval"));replace(page,"requestAnimationFrame",scheduling("frame"));replace(page,"clearTimeo\
ut",cancelling(""));replace(page,"clearInterval",cancelling(""));replace(page,"cancelAnimationFrame",cancelling("f"));replace(
page,"fetch",{apply(native,self2,args){const record=startFetch(args);const promise=apply6(native,self2,args);return record===
null?promise:following(promise,record,true)}});const bodies=["json","text","arrayBuffer","blob","formData","bytes"];for(let i=0;i<
bodies.length;i++){replace(Response.prototype,bodies[i],{apply(native,self2,args){const before=apply6(lookUp3,requests,[
self2]);const promise=apply6(native,self2,args);if(before===void 0)return promise;const record=start("request",before.label,
before.context,before.at);return record===null?promise:following(promise,record,false)}})}replace(XMLHttpRequest.prototype,
"open",{apply(native,self2,args){const result=apply6(native,self2,args);if(apply6(lookUp3,requests,[self2])===void 0){apply6(
addEventListener3,self2,["readystatechange",()=>{const record=apply6(lookUp3,requests,[self2])?.record;if(!record||apply6(
readyStateOf,self2,[])!==4)return;enter(record.context);noteSlow(record)}]);apply6(addEventListener3,self2,["loadend",()=>{
const known=apply6(lookUp3,requests,[self2]);if(!known?.record)return;linger(known.record.context);finish(known.record);
known.record=null}])}apply6(store3,requests,[self2,{__proto__:null,method:`${args[0]}`,url:`${args[1]}`,record:null}]);return result}});
replace(XMLHttpRequest.prototype,"send",{apply(native,self2,args){const known=apply6(lookUp3,requests,[self2]);if(known!==
void 0&&known.record===null)known.record=startRequest(labelFor(known.method,known.url));try{return apply6(native,self2,args)}catch(error){
if(known?.record)finish(known.record);throw error}}});trackAnswers(replace);keepInternals(replace,`${name}=`,held=>dispatch(
"#",held));replace(Function.prototype,"toString",{apply(native,self2,args){return apply6(native,apply6(lookUp3,natives,[
self2])??self2,args)}});channel.addEventListener(`${name} listen`,listenToInput);channel.addEventListener(name,event=>{apply6(
preventDefault2,event,[]);if(!(event instanceof Question))return;const time=now3();dispatch("!",unfinished(time,time-apply6(
sinceBegin,event,[]),time-apply6(sinceEnd,event,[])))})}return trackActivity;
})()
// program: console_throttle
(() => { "use strict";
function throttleConsole(mark,limit){const names=["debug","log","info","warn","error","trace","dir","dirxml","table","gr\
oup","groupCollapsed","groupEnd","count","timeEnd","timeLog","clear"];const second=1e3;const{now}=Date;const later=self.
setTimeout;const{console}=self;const report=console.debug;let windowStart=0;let lines=0;let dropped=0;const reportDropped=()=>{
const count=dropped;dropped=0;report(mark,count)};const dropLine=()=>{dropped+=1;if(dropped===1)later(reportDropped,second)};
const isAllowed=()=>{const time=now();if(time-windowStart>=second||time<windowStart){windowStart=time;lines=0}lines+=1;return lines<=
limit};for(const name of names){let own=console[name];Object.defineProperty(console,name,{configurable:true,enumerable:true,
get:()=>isAllowed()?own:dropLine,set:replacement=>{own=replacement}})}}return throttleConsole;
})()
// program: copies
(() => { "use strict";
function reportCopies(name){const channel=performance;const Report=InputEvent;const{apply}=Reflect;const{getOwnPropertyDescriptor}=Object;
const{dispatchEvent,addEventListener}=EventTarget.prototype;const{then}=Promise.prototype;const{getData}=DataTransfer.prototype;
const getter=(of,key)=>getOwnPropertyDescriptor(of,key).get;const dataOf=getter(ClipboardEvent.prototype,"clipboardData");
const typeOf=getter(Event.prototype,"type");const isPrevented=getter(Event.prototype,"defaultPrevented");const isTrusted=getter(
new Event(name),"isTrusted");let isQuiet=false;const report=data=>apply(dispatchEvent,channel,[new Report(name,{data})]);
const onCopied=event=>{if(isQuiet||!apply(isTrusted,event,[])||!apply(isPrevented,event,[]))return;report(apply(getData,
apply(dataOf,event,[]),["text/plain"]))};apply(addEventListener,channel,[`${name} quiet`,()=>{isQuiet=!isQuiet}]);const onCopy=event=>{
if(isQuiet||!apply(isTrusted,event,[]))return;report(null);apply(addEventListener,self,[apply(typeOf,event,[]),onCopied,
{once:true}])};const listen=()=>{apply(addEventListener,self,["copy",onCopy,true]);apply(addEventListener,self,["cut",onCopy,
true])};apply(addEventListener,channel,[`${name} listen`,listen]);listen();const{prototype}=self.Clipboard??{};const reportWrites=(key,textOf)=>{
prototype[key]=new Proxy(prototype[key],{apply(write,clipboard,values){const text=textOf(values[0]);const written=apply(
write,clipboard,text===null?values:[text]);apply(then,written,[()=>report(text),()=>{}]);return written}})};if(!prototype)
return;reportWrites("writeText",value=>`${value}`);reportWrites("write",()=>null)}return reportCopies;
})()
// program: databases
(() => { "use strict";
var WAIT_MS=3e3;var MAX_DEPTH=16;var MAX_REFUSED=100;var MAX_NAME=200;var{toString}=Object.prototype;var ARRAYS={i8:Int8Array,
ui8:Uint8Array,ui8c:Uint8ClampedArray,i16:Int16Array,ui16:Uint16Array,i32:Int32Array,ui32:Uint32Array,f32:Float32Array,f64:Float64Array,
bi64:BigInt64Array,bui64:BigUint64Array};var CONSTANTS=new Map(Object.entries({undefined:void 0,null:null,NaN:NaN,Infinity:Infinity,
"-Infinity":-Infinity,"-0":-0}));var Refusal=class extends Error{};function inTime(work){const late=new Promise((_,fail)=>void setTimeout(
()=>fail(new Refusal("it did not answer in time")),WAIT_MS));return Promise.race([work,late])}function resultOf(request){
return new Promise((resolve,fail)=>{request.addEventListener("success",()=>resolve(request.result));request.addEventListener(
"error",()=>fail(request.error));request.addEventListener("blocked",()=>fail(new Refusal("a page keeps it open")))})}var Encoder=class{ids=new Map;encode(value,depth=0){
if(depth>MAX_DEPTH)throw new Refusal(`it is nested more than ${MAX_DEPTH} deep`);if(typeof value==="string"&&!value.isWellFormed())
throw new Refusal("it holds a text that is not Unicode");if(typeof value==="string"||typeof value==="boolean")return value;
if(typeof value==="number"){const name=Object.is(value,-0)?"-0":String(value);return CONSTANTS.has(name)?{v:name}:value}
if(value===void 0||value===null)return{v:String(value)};if(typeof value==="bigint")return{bi:String(value)};if(this.ids.
has(value))return{ref:this.ids.get(value)};return this.encodeObject(value,depth)}encodeObject(value,depth){const kind=toString.
call(value).slice(8,-1);if(kind==="Date"&&!Number.isNaN(value.getTime()))return{d:value.toJSON()};if(kind==="RegExp")return{
r:{p:value.source,f:value.flags}};if(kind==="ArrayBuffer"&&!value.resizable)return{ab:{b:base64Of(new Uint8Array(value))}};
const array=Object.keys(ARRAYS).find(name=>value instanceof ARRAYS[name]);if(array&&!value.buffer.resizable)return{ta:{b:base64Of(
new Uint8Array(value.buffer,value.byteOffset,value.byteLength)),k:array}};const id=this.ids.size+1;this.ids.set(value,id);
const inner=one=>this.encode(one,depth+1);const pair=([k,v])=>({k:inner(k),v:inner(v)});if(kind==="Map")return{m:[...value].
map(pair),id};if(kind==="Set")return{s:[...value].map(inner),id};const entries=Object.entries(value);if(kind==="Array"&&
entries.length===value.length)return{a:value.map(inner),id};if(kind==="Object"&&!Object.hasOwn(value,"__proto__"))return{
o:entries.map(pair),id};throw new Refusal(`it holds a value that can't be copied (${kind})`)}};function decoded(encoded,known=new Map){
if(typeof encoded!=="object"||encoded===null)return encoded;const inner=one=>decoded(one,known);const noted=object2=>{known.
set(encoded.id,object2);return object2};if("ref"in encoded)return known.get(encoded.ref);if("v"in encoded)return CONSTANTS.
get(encoded.v);if("bi"in encoded)return BigInt(encoded.bi);if("d"in encoded)return new Date(encoded.d);if("r"in encoded)
return new RegExp(encoded.r.p,encoded.r.f);if("ab"in encoded)return bytesOf(encoded.ab.b).buffer;if("ta"in encoded)return new ARRAYS[encoded.
ta.k](bytesOf(encoded.ta.b).buffer);if("a"in encoded){const list=noted([]);for(const one of encoded.a)list.push(inner(one));
return list}if("s"in encoded){const set=noted(new Set);for(const one of encoded.s)set.add(inner(one));return set}if("m"in
encoded){const map=noted(new Map);for(const{k,v}of encoded.m)map.set(inner(k),inner(v));return map}if(!("o"in encoded))throw new Refusal(
`it holds an unknown encoding (${Object.keys(encoded).join(", ")})`);const object=noted({});for(const{k,v}of encoded.o)if(k!==
"__proto__")object[k]=inner(v);return object}function base64Of(bytes){let text="";for(const byte of bytes)text+=String.fromCharCode(
byte);return btoa(text)}var bytesOf=text=>Uint8Array.from(atob(text),letter=>letter.charCodeAt(0));var field=(encoded,name)=>typeof encoded===
"object"?{[`${name}Encoded`]:encoded}:{[name]:encoded};var pathOf=({keyPath})=>typeof keyPath==="string"?{keyPath}:keyPath&&
{keyPathArray:[...keyPath]};function counted(part,room){room.parts-=1;room.chars-=JSON.stringify(part).length;if(room.parts<
0||room.chars<0)throw new Refusal("it is too large");return part}async function saveStore(store,room){const indexes=[...store.
indexNames].map(name=>{const index=store.index(name);return{name,...pathOf(index),multiEntry:index.multiEntry,unique:index.
unique}});const outline=counted({name:store.name,autoIncrement:store.autoIncrement,...pathOf(store),indexes},room);const records=[];
const request=store.openCursor();for(let cursor=await resultOf(request);cursor;cursor=await resultOf(request)){const key=store.
keyPath===null?field(new Encoder().encode(cursor.key),"key"):{};records.push(counted({...key,...field(new Encoder().encode(
cursor.value),"value")},room));cursor.continue()}return{...outline,records}}async function saved(name,room){counted(name,
room);const opening=indexedDB.open(name);opening.addEventListener("upgradeneeded",()=>opening.transaction?.abort());const database=await resultOf(
opening);try{const names=[...database.objectStoreNames];const stores=[];const transaction=names.length?database.transaction(
names):null;for(const store of names)stores.push(await saveStore(transaction.objectStore(store),room));return{name,version:database.
version,stores}}finally{database.close()}}async function restore({name,version,stores}){await resultOf(indexedDB.deleteDatabase(
name));const opening=indexedDB.open(name,version);opening.addEventListener("upgradeneeded",()=>{for(const{name:storeName,
keyPath,keyPathArray,autoIncrement,indexes}of stores){const store=opening.result.createObjectStore(storeName,{keyPath:keyPathArray??
keyPath,autoIncrement});for(const one of indexes)store.createIndex(one.name,one.keyPathArray??one.keyPath,{unique:one.unique,
multiEntry:one.multiEntry})}});const database=await resultOf(opening);try{if(!stores.length)return;const transaction=database.
transaction(database.objectStoreNames,"readwrite");const ended=new Promise((resolve,fail)=>{transaction.addEventListener(
"complete",resolve);transaction.addEventListener("abort",()=>fail(transaction.error))});for(const{name:storeName,records}of stores){
const store=transaction.objectStore(storeName);for(const{key,keyEncoded,value=null,valueEncoded}of records){store.add(valueEncoded===
void 0?value:decoded(valueEncoded),keyEncoded===void 0?key:decoded(keyEncoded))}}await ended}finally{database.close()}}function refusal(name,error){
return{database:name.slice(0,MAX_NAME),reason:error instanceof Refusal?error.message:`the browser refuses it (${error})`}}
async function saveAll(room){const databases=[];const refused=[];for(const{name}of await indexedDB.databases()){if(refused.
length===MAX_REFUSED)break;const rest={...room};try{databases.push(await inTime(saved(name,rest)));room=rest}catch(error){
refused.push(refusal(name,error))}}return{databases,room,refused}}async function restoreAll(databases){const refused=[];
for(const database of databases){try{await inTime(restore(database))}catch(error){indexedDB.deleteDatabase(database.name);
refused.push(refusal(database.name,error))}}return{refused}}async function handleDatabases(request){const{databases,room}=JSON.
parse(request);return JSON.stringify(await(databases?restoreAll(databases):saveAll(room)))}return handleDatabases;
})()
// program: evaluate
(() => { "use strict";
async function evaluate(source,argument,isAwaited,maxBytes,lentName){const lent=globalThis[lentName];delete globalThis[lentName];
const parse=lent?lent.parse:JSON.parse;const MAX_TEXT=1e3;const BROWSERS_OWN=/^(?:chrome|chrome-extension|chrome-untrusted|devtools|file|view-source):/;
function parses(body){try{return Boolean(Function(body))}catch{return false}}function run(){const inBrackets=`(${source}\

)`;if(parses(`return ${inBrackets}`))return(0,eval)(inBrackets);const isAsync=parses(`return async () => ${inBrackets}`);
return isAsync?(0,eval)(`(async () => ${inBrackets})()`):(0,eval)(source)}function checkKind(value){const kind=typeof value;
if(kind==="function"||kind==="symbol")throw new TypeError(`the result is a ${kind}, which JSON can't hold`)}function jsonOf(value){
checkKind(value);const{json,bytes}=lent?lent.serialise(value,maxBytes):serialise(value);const type=json==="{}"?Object.getPrototypeOf(
value):null;if(type!==null&&Object.getPrototypeOf(type)!==null){throw new TypeError(`the result is a ${type.constructor?.
name||"host object"}, which JSON can't hold`)}return{json,bytes}}function serialise(value){const text=JSON.stringify(value)??
"null";const json=text.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g,"�");return{json,bytes:bytesOf(json)}}
function bytesOf(json){return json.length>maxBytes?json.length:new TextEncoder().encode(json).length}const bare=answer=>({
__proto__:null,...answer});function textOf(error){try{return String(error).slice(0,MAX_TEXT).toWellFormed()}catch{return"\
something without a text was thrown"}}if(BROWSERS_OWN.test(location.href)||BROWSERS_OWN.test(self.origin)){return bare({
thrown:"documents of the browser's own, such as its PDF viewer, run no scripts of clients"})}try{let value=run();if(typeof value===
"function")value=value(parse(argument));if(isAwaited)value=await value;const{json,bytes}=jsonOf(value);return bytes>maxBytes?
bare({exceeded:bytes}):bare({json})}catch(error){return bare({thrown:textOf(error)})}}return evaluate;
})()
// program: isolated_world
(() => { "use strict";
var MAX_TEXT=100;function reader(type,name){const{get}=Object.getOwnPropertyDescriptor(type.prototype,name);return Function.
prototype.call.bind(get)}function caller(type,name){return Function.prototype.call.bind(type.prototype[name])}var kindOf=reader(
Node,"nodeType");var firstOf=reader(Node,"firstChild");var lastOf=reader(Node,"lastChild");var nextOf=reader(Node,"nextS\
ibling");var previousOf=reader(Node,"previousSibling");var parentOf=reader(Node,"parentNode");var dataOf=reader(CharacterData,
"data");var textContentOf=reader(Node,"textContent");var isConnected=reader(Node,"isConnected");var rootOf=caller(Node,"\
getRootNode");var tagOf=reader(Element,"localName");var shadowOf=reader(Element,"shadowRoot");var textSlotOf=reader(Text,
"assignedSlot");var slotOf=reader(Element,"assignedSlot");var firstElementOf=reader(Element,"firstElementChild");var nextElementOf=reader(
Element,"nextElementSibling");var previousElementOf=reader(Element,"previousElementSibling");var childCountOf=reader(Element,
"childElementCount");var attributeOf=caller(Element,"getAttribute");var namesIn=caller(Element,"getAttributeNames");var attributesOf=reader(
Element,"attributes");var hasAttributes=caller(Element,"hasAttributes");var hasAttribute=caller(Element,"hasAttribute");
var matches=caller(Element,"matches");var closest=caller(Element,"closest");var queryAll=caller(Element,"querySelectorAl\
l");var queryDocument=caller(Document,"querySelectorAll");var queryFragment=caller(DocumentFragment,"querySelectorAll");
var queryRoot=(root2,selector)=>(kindOf(root2)===FRAGMENT?queryFragment:queryDocument)(root2,selector);var contains=caller(
Node,"contains");var scrollIntoView=caller(Element,"scrollIntoView");var measure=caller(Element,"getBoundingClientRect");
var rectanglesOf=caller(Element,"getClientRects");var tagsIn=caller(Document,"getElementsByTagName");var hitInDocument=caller(
Document,"elementFromPoint");var hitInShadow=caller(ShadowRoot,"elementFromPoint");var checkVisibility=caller(Element,"c\
heckVisibility");var OPAQUE={opacityProperty:true};var VISIBLE={__proto__:null,visibilityProperty:true,opacityProperty:true};
var scrollWidthOf=reader(Element,"scrollWidth");var scrollHeightOf=reader(Element,"scrollHeight");var clientWidthOf=reader(
Element,"clientWidth");var clientHeightOf=reader(Element,"clientHeight");var bodyOf=reader(Document,"body");var topOf=reader(
Document,"documentElement");var titleOf=reader(Document,"title");var urlOf=reader(Document,"URL");var baseOf=reader(Node,
"baseURI");var activeOf=reader(Document,"activeElement");var scrollerOf=reader(Document,"scrollingElement");var animationsInDocument=caller(
Document,"getAnimations");var execCommand=caller(Document,"execCommand");var lockedOf=reader(Document,"pointerLockElemen\
t");var pointerLock=()=>lockedOf(document);var walkerOf=caller(Document,"createTreeWalker");var innerTextOf=reader(HTMLElement,
"innerText");var editableOf=reader(HTMLElement,"isContentEditable");var OWN_TEXT=new Set(["input","textarea","select"]);
var isEdited=element=>element instanceof HTMLElement&&editableOf(element)&&!OWN_TEXT.has(tagOf(element));var hasEditContext="\
editContext"in HTMLElement.prototype;var editContextOf=hasEditContext?element=>element instanceof HTMLElement?element.editContext:
null:()=>null;var hasReflection="ariaLabelledByElements"in Element.prototype;var labelledByOf=hasReflection?reader(Element,
"ariaLabelledByElements"):()=>null;var MAX_DEPTH=1200;var ELEMENT=1;var TEXT=3;var FRAGMENT=11;function isElement(node){
return kindOf(node)===ELEMENT}function contentBoxOf(node){const range=new Range;range.selectNodeContents(node);return range.
getBoundingClientRect()}function labelElementsOf(element){return tagOf(element)==="form"?[]:[...element.labels??[]]}function focusedElement(){
let focused=activeOf(document);while(focused&&shadowOf(focused)?.activeElement)focused=shadowOf(focused).activeElement;return focused}
function childElementsOf(parent){const found=[];for(let node=firstOf(parent);node;node=nextOf(node))if(isElement(node))found.
push(node);return found}function*nodesFrom(root2){const stack=[root2];while(stack.length){const node=stack.pop();yield node;
for(let child=lastOf(node);child;child=previousOf(child))stack.push(child);if(kindOf(node)===ELEMENT&&shadowOf(node))stack.
push(shadowOf(node))}}var INVISIBLE=/[\u200b\u00ad]/g;var SPACES=/\s+/g;var UNCOLLAPSED=/\s\s|[^\S ]|[\u200b\u00ad]/;function collapseSpaces(text){
return collapseInnerSpaces(text).trim()}function collapseInnerSpaces(text){return UNCOLLAPSED.test(text)?text.replace(INVISIBLE,
"").replace(SPACES," "):text}function shorten(text,limit){return text.length<=limit?text:`${text.slice(0,limit-1)}…`}var HOSTS=new Set(
"article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));function canHostShadow(tag){
return HOSTS.has(tag)||tag.includes("-")}function parentOrHostOf(element){const parent=parentOf(element);if(!parent)return null;
if(kindOf(parent)===ELEMENT)return parent;return kindOf(parent)===FRAGMENT?parent.host??null:null}function referenced(element,attribute){
const ids2=attributeOf(element,attribute);if(!ids2)return[];const root2=rootOf(element);const find2=root2===document?Document.
prototype.getElementById:DocumentFragment.prototype.getElementById;if(kindOf(root2)===ELEMENT)return[];return ids2.split(
SPACES).map(id=>find2.call(root2,id)).filter(Boolean)}function readable(root2){return kindOf(root2)===ELEMENT?root2:bodyOf(
document)??topOf(document)}function flatChildren(element){const assigned=tagOf(element)==="slot"?element.assignedNodes():
[];const nodes=assigned.length?[...assigned]:[];if(!nodes.length){for(let child=firstOf(shadowOf(element)??element);child;child=
nextOf(child))nodes.push(child)}return hasAttribute(element,"aria-owns")?nodes.concat(referenced(element,"aria-owns")):nodes}
var internals="";var answer="";function openInternals(name){if(internals!=="")return;internals=`${name}=`;performance.addEventListener(
`${name}#`,event=>{answer=event.data??""})}function internalsOf(element){if(internals===""||!tagOf(element).includes("-"))
return null;const isUnknown=performance.dispatchEvent(new MouseEvent(internals,{cancelable:true,relatedTarget:element}));
return isUnknown?null:JSON.parse(answer)}function declaredOf(element,name){return attributeOf(element,name)??internalsOf(
element)?.[name]??null}var memo={roles:new Map,names:new Map,disputed:new Set,withheld:new Set,muted:new Map,shown:new Map,boxes:new Map,siblings:new Map,
reach:new Map,content:new Map,twins:new Map,majors:new Map,paths:new Map,rows:new Map,rowGroups:new Map,rowKeys:new Map,
pieces:new Map,headings:new Map,sections:new Map,landmarks:new Map,near:new Map,namings:new Map,routes:new Map,backgrounds:new Map};
var labelIndex=null;var textCounts=null;var testIdCounts=null;function startIndexes(texts,testIds){labelIndex=new Map;textCounts=
texts;testIdCounts=testIds}function clearMemo(){labelIndex=null;textCounts=null;testIdCounts=null;for(const known3 of Object.
values(memo))if(known3.size)known3.clear()}function getOrCompute(known3,key,find2){let value=known3.get(key);if(value===
void 0)known3.set(key,value=find2(key));return value}function increment(counts,key){counts.set(key,(counts.get(key)??0)+
1)}function addToList(lists,key,element){const list=lists.get(key);if(list)list.push(element);else lists.set(key,[element])}function isFolded(element){return tagOf(element)==="details"&&!hasAttribute(element,"open")}var PAINTED={__proto__:null,
visibilityProperty:true};function isShown(element){return getOrCompute(memo.shown,element,it=>checkVisibility(it,PAINTED))}
function boxOf(element){return getOrCompute(memo.boxes,element,measure)}function isAriaHidden(element){return getOrCompute(
memo.muted,element,computeAriaHidden)}function computeAriaHidden(element){const path=[];let isMuted3=false;for(let node=element;node;node=
parentOrHostOf(node)){isMuted3=memo.muted.get(node)??hasAriaHidden(node);if(isMuted3||memo.muted.has(node))break;path.push(
node)}for(const node of path)memo.muted.set(node,isMuted3);return isMuted3}function hasAriaHidden(element){return attributeOf(
element,"aria-hidden")?.toLowerCase()==="true"}var UNRENDERED_TAGS=new Set(["style","script","noscript","template"]);function isHidden(element){
return isUnrendered(element)||isAriaHidden(element)}function isUnrendered(element){const tag=tagOf(element);return UNRENDERED_TAGS.
has(tag)||!isRendered(element,tag)}function isRendered(element,tag){return isShown(element)||tag==="option"&&isOffered(element)||
isContentsShown(element)}function isOffered(option){const list=closest(option,"select");return list!==null&&isShown(list)&&
closest(option,"[hidden]")===closest(list,"[hidden]")}function isTextUnrendered(text){const parent=parentOf(text);return kindOf(
parent)===ELEMENT&&(isFolded(parent)||shadowOf(parent)!==null&&!textSlotOf(text))}function isContentsShown(element){if(getComputedStyle(
element).display!=="contents")return false;if(tagOf(element)==="slot")return true;if(!isAroundShown(element))return false;
for(let child=firstOf(element);child;child=nextOf(child)){if(kindOf(child)===ELEMENT&&!isUnrendered(child)&&!hasAriaHidden(
child))return true;if(kindOf(child)===TEXT&&dataOf(child).trim()&&!isTextUnrendered(child))return true}return false}function isVisible(element){
if(tagOf(element)==="area"){const image=imageOf(element);return image!==null&&isVisible(image)}const{width,height}=measure(
element);return width>0&&height>0&&checkVisibility(element,PAINTED)}function showsAnything(element){const open=[element];
for(const node of open){if(isVisible(node))return true;if(getComputedStyle(node).display!=="contents")continue;for(let child=firstOf(
node);child;child=nextOf(child)){if(kindOf(child)===ELEMENT)open.push(child);if(kindOf(child)===TEXT&&isTextShown(child))
return true}}return false}function isAroundShown(element){let around2=parentOrHostOf(element);while(around2&&getComputedStyle(
around2).display==="contents")around2=parentOrHostOf(around2);return!around2||checkVisibility(around2)&&!isFolded(around2)&&
getComputedStyle(element).visibility==="visible"}function isTextShown(text){const range=new Range;range.selectNode(text);
const{width,height}=range.getBoundingClientRect();return width>0&&height>0&&getComputedStyle(text.parentNode).visibility===
"visible"}function isTransparent(color){return/^rgba\(.*, 0\)$/.test(color)}function isInert(element){for(let node=element;node;node=
parentOrHostOf(node))if(hasAttribute(node,"inert"))return true;return false}function imageOf(area){const name=closest(area,
"map")?.name;const images=name?[...queryAll(topOf(document),"img[usemap]")]:[];return images.find(({useMap})=>useMap===`\
#${name}`)??null}function areaBox({shape,coords},image){const box=measure(image);const numbers=coords.split(/[\s,;]+/).map(
Number);if(/^def/i.test(shape))return box;const[scaleX,scaleY]=[box.width/image.offsetWidth,box.height/image.offsetHeight];
const[west,north,east,south]=/^circ/i.test(shape)?aroundCircle(numbers):aroundPoints(numbers);const[x,y]=[box.left+west*
scaleX,box.top+north*scaleY];return new DOMRect(x,y,(east-west)*scaleX,(south-north)*scaleY)}function aroundCircle([x,y,
radius]){return[x-radius,y-radius,x+radius,y+radius]}function aroundPoints(coordinates){const across=coordinates.filter(
(_,i)=>i%2===0);const down=coordinates.filter((_,i)=>i%2===1);return[Math.min(...across),Math.min(...down),Math.max(...across),
Math.max(...down)]}function isForKeys(element,tag,role){if(element.tabIndex<0)return false;if(role==="combobox"&&hasAttribute(
element,"aria-expanded"))return true;if(tag!=="input")return false;return element.type==="range"||hasAttribute(element,"\
aria-haspopup")||attributeOf(element,"autocomplete")==="one-time-code"}function*shownTexts(element,but){for(const{text,holder}of shownTextNodes(element))if(!but||!closest(holder,but))yield text}
var MUTED='[aria-hidden="true" i]';function*shownTextNodes(element){const around2=isElement(element)&&isAriaHidden(element)?
closest(element,MUTED):null;const isMuted3=holder=>around2?closest(holder,MUTED)!==around2:isAriaHidden(holder);const walker=walkerOf(
document,element,NodeFilter.SHOW_TEXT);while(walker.nextNode()){const text=collapseSpaces(dataOf(walker.currentNode));const holder=parentOrHostOf(
walker.currentNode);if(text&&!isTextUnrendered(walker.currentNode)&&!isUnrendered(holder)&&!isMuted3(holder)&&!isInSecret(
holder))yield{text,holder}}}function openTextOf(element){const areas=[element,...queryAll(element,"textarea")].filter(one=>tagOf(
one)==="textarea"&&isSecret(one));return areas.map(textContentOf).filter(Boolean).reduce((text,held2)=>text.replaceAll(held2,
""),textContentOf(element))}var CREDENTIALS=/(^|\s)(current-password|new-password|one-time-code|cc-[a-z-]+)(\s|$)/i;var PASSWORD_WORDS=/passw|passphrase|passcode|pwd/i;
var secrets=new WeakSet;var writtenSecrets=new Set;function secretsHere({origin,values}){return[...writtenSecrets,...globalThis.
origin===origin?values:[]]}function isSecret(field){if(secrets.has(field))return true;const secret=isMarkedSecret(field)||
isMasked(field);if(secret)secrets.add(field);return secret}function isMarkedSecret(field){const tag=tagOf(field);if(tag!==
"select"&&CREDENTIALS.test(attributeOf(field,"autocomplete")??""))return true;if(tag!=="input")return false;const called=()=>`${attributeOf(
field,"name")??""} ${attributeOf(field,"id")??""}`;return field.type==="password"||field.type==="text"&&PASSWORD_WORDS.test(
called())}function isMasked(field){const tag=tagOf(field);if(tag!=="input"&&tag!=="textarea"&&!isEdited(field))return false;
return textSecurityIn(getComputedStyle(field))!=="none"}function textSecurityIn(style){return style.webkitTextSecurity}function isInSecret(element){
if(element&&tagOf(element)==="textarea")return isSecret(element);for(let node=element;node&&isEdited(node);node=parentOrHostOf(
node))if(isSecret(node))return true;return false}var LIMIT=1e9;var channel="";var answer2="";var onFinished=()=>void 0;function openActivityChannel(name){if(channel!=="")
return;channel=name;performance.addEventListener(`${name}!`,event=>{answer2=event.data??""});performance.addEventListener(
`${name}~`,()=>onFinished())}function listenToInput(){performance.dispatchEvent(new Event(`${channel} listen`))}function activityOf(begin,end){
if(channel==="")return null;const now=Date.now();const screenX=Math.min(LIMIT,now-begin);const screenY=Math.max(-LIMIT,now-
end);answer2="";if(performance.dispatchEvent(new MouseEvent(channel,{cancelable:true,screenX,screenY})))return null;return answer2.
split("\n").filter(Boolean)}function documentBegin(){return Date.now()-performance.now()}function finishedActivity(ms){return new Promise(
done=>{onFinished=()=>done(void 0);setTimeout(done,ms)})}var MAX_LENGTH=1e5;var channel2="";var send=()=>{};var isKeyDown=false;var noteKey=event=>{if(event.isTrusted)isKeyDown=
event.type==="keydown"};var keepSecret=event=>{const[target2]=event.composedPath();if(!event.isTrusted||!isElement(target2)||
!(isKeyDown||event.type==="dragstart"))return;if(!isSecret(target2)&&!isInSecret(target2))return;event.preventDefault();
event.stopImmediatePropagation()};function keepSecrets(){for(const type of["keydown","keyup"])addEventListener(type,noteKey,
true);for(const type of["copy","cut","dragstart"])addEventListener(type,keepSecret,true)}var root=null;function listenAgain(){
if(root!==document.documentElement){root=document.documentElement;keepSecrets();performance.dispatchEvent(new Event(`${channel2}\
 listen`));listenToInput()}return{}}function openCopies(name,binding){if(binding)send=binding;keepSecrets();if(channel2!==
"")return;channel2=name;performance.addEventListener(name,event=>noteCopy(event.data??selectedText()))}function noteCopy(text){
send(`copied ${text.length>MAX_LENGTH?"":text}`)}function selectedText(){const active=focusedElement();if(active instanceof
HTMLInputElement||active instanceof HTMLTextAreaElement){const{selectionStart,selectionEnd}=active;if(active.type==="pas\
sword"||isKeyDown&&isSecret(active))return"";if(selectionStart!==null&&selectionStart!==selectionEnd)return active.value.
slice(selectionStart,selectionEnd??0)}return String(getSelection()??"")}function copyText(text){let isCopied=false;const copy=event=>{
event.preventDefault();event.stopImmediatePropagation();event.clipboardData?.setData("text/plain",text);isCopied=true};const quiet=()=>performance.
dispatchEvent(new Event(`${channel2} quiet`));quiet();addEventListener("copy",copy,true);try{return execCommand(document,
"copy")&&isCopied}finally{removeEventListener("copy",copy,true);quiet()}}function flatTreeParentOf(element){return slotOf(element)??parentOrHostOf(element)}function isWithinElement(inner2,outer){
for(let node=inner2;node;node=flatTreeParentOf(node))if(node===outer)return true;return false}function hitAt(x,y){let hit=hitInDocument(
document,x,y);for(let shadow=hit&&shadowOf(hit);shadow;){const deeper=hitInShadow(shadow,x,y);if(!deeper||deeper===hit||
rootOf(deeper)!==shadow)break;hit=deeper;shadow=shadowOf(hit)}return hit}var MIN_TAKEN=.9;function pressedHostOf(element){
const{host}=rootOf(element);if(!host||getComputedStyle(element).pointerEvents!=="none")return null;const[outer,inner2]=[
measure(host),measure(element)];return inner2.width*inner2.height>=outer.width*outer.height*MIN_TAKEN?host:null}function middleOf({
left,top,right,bottom}){return[(left+right)/2,(top+bottom)/2]}var INSET=.15;var SHARES=[.5,INSET,1-INSET];function pointsOf({
left,top,right,bottom}){const across=SHARES.map(share=>left+(right-left)*share);const down=SHARES.map(share=>top+(bottom-
top)*share);return across.flatMap(x=>down.map(y=>[x,y]))}function topmost(modals){if(modals.length<2)return modals[0]??null;
for(let node=hitAt(innerWidth/2,innerHeight/2);node;node=flatTreeParentOf(node))if(modals.includes(node))return node;return modals.
at(-1)??null}function isInline(element){return getComputedStyle(element).display==="inline"}function*innerBoxesOf(node){
if(kindOf(node)===TEXT){const range=new Range;range.selectNodeContents(node);yield*range.getClientRects()}else if(isElement(
node)){const first=isInline(node)?firstOf(node):null;if(!first)yield*rectanglesOf(node);for(let child=first;child;child=
nextOf(child))yield*innerBoxesOf(child)}}function isInView(element){const box=measure(element);return box.top>=0&&box.left>=
0&&box.bottom<=innerHeight&&box.right<=innerWidth}function isPartlyInView(element){const box=measure(element);return box.
bottom>0&&box.right>0&&box.top<innerHeight&&box.left<innerWidth}function isAt(element,{x,y}){const[middleX,middleY]=middleOf(
measure(element));return isWithinElement(hitAt(middleX+x,middleY+y),element)}var CONTENT_PARTS=/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g;var NO_CHARACTER="�";function pseudoElementText(element,pseudo,isHiddenToo=false){
const style=getComputedStyle(element,pseudo);const declared=style.content;if(declared==="none"||declared==="normal"||!declared)
return"";if(!isHiddenToo&&(style.display==="none"||style.visibility==="hidden"))return"";const visible=declared.replace(
/^.*\s\/\s(?=["a])/,"");if(visible.replace(CONTENT_PARTS,"").trim())return"";const text=[...visible.matchAll(CONTENT_PARTS)].
map(([,quoted,attribute])=>quoted?.replace(/\\(.)/g,"$1")??attributeOf(element,attribute)??"").join("");if(text.includes(
NO_CHARACTER))return"";return style.display==="inline"?text:` ${text} `}var RANGES=new Set(["progressbar","scrollbar","slider","spinbutton","meter"]);var ROLES=new Set("alert alertdialog appli\
cation article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo defin\
ition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion lin\
k list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation\
 none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search sea\
rchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox ti\
me timer toolbar tooltip tree treegrid treeitem".split(" "));var WIDGETS=new Set("button checkbox combobox link menuitem\
 menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem".split(" "));
var SELECTOR_ROLES=new Set([...WIDGETS,"listbox","gridcell","columnheader","heading","img"]);var INPUT_ROLES=new Map(Object.
entries({button:"button",checkbox:"checkbox",file:"button",image:"button",number:"spinbutton",radio:"radio",range:"slide\
r",reset:"button",search:"searchbox",submit:"button"}));var LISTABLE=new Set(["email","search","tel","text","url"]);var SECTIONING="\
article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), [role=article], [role=co\
mplementary], [role=main], [role=navigation], [role=region]";var LINK=":any-link";var TAG_ROLES=new Map(Object.entries({
a:element=>matches(element,LINK)?"link":null,area:element=>hasAttribute(element,"href")?"link":null,address:"group",article:"\
article",aside:"complementary",blockquote:"blockquote",button:"button",caption:"caption",code:"code",datalist:"listbox",
dd:"definition",del:"deletion",details:"group",dfn:"term",dialog:"dialog",dt:"term",em:"emphasis",fieldset:"group",figure:"\
figure",footer:element=>closest(element,SECTIONING)?null:"contentinfo",form:element=>isLabelled(element)?"form":null,h1:"\
heading",h2:"heading",h3:"heading",h4:"heading",h5:"heading",h6:"heading",header:element=>closest(element,SECTIONING)?null:
"banner",hgroup:"group",hr:"separator",html:"document",img:element=>isDecorative(element)?"presentation":"img",input:inputRole,
ins:"insertion",li:"listitem",main:"main",mark:"mark",math:"math",menu:"list",meter:"meter",nav:"navigation",ol:"list",optgroup:"\
group",option:"option",output:"status",p:"paragraph",progress:"progressbar",s:"deletion",search:"search",section:element=>isLabelled(
element)?"region":null,select:element=>element.multiple||element.size>1?"listbox":"combobox",strong:"strong",sub:"subscr\
ipt",sup:"superscript",svg:"img",table:"table",tbody:"rowgroup",td:cellRole,textarea:"textbox",tfoot:"rowgroup",th:headerRole,
thead:"rowgroup",time:"time",tr:"row",ul:"list"}));var OWNERS=new Map(Object.entries({dd:["dl","div"],div:["dl"],dt:["dl",
"div"],li:["ol","ul"],tbody:["table"],td:["tr"],tfoot:["table"],th:["tr"],thead:["table"],tr:["thead","tbody","tfoot","t\
able"]}));var GLOBAL_STATES="[aria-atomic], [aria-busy], [aria-controls], [aria-current], [aria-describedby], [aria-deta\
ils], [aria-dropeffect], [aria-flowto], [aria-grabbed], [aria-hidden], [aria-keyshortcuts], [aria-live], [aria-owns], [a\
ria-relevant], [aria-label], [aria-labelledby], [aria-roledescription]";var FOCUSABLE="button, details, select, textarea\
, a[href], area[href], input";function isLabelled(element){return hasAttribute(element,"aria-label")||hasAttribute(element,
"aria-labelledby")}function isDecorative(element){if(attributeOf(element,"alt")!==""||attributeOf(element,"title"))return false;
return!matches(element,GLOBAL_STATES)&&!hasTabIndex(element)}function hasTabIndex(element){const index=attributeOf(element,
"tabindex");return index!==null&&!Number.isNaN(Number(index))}function inputRole(input){const type=input.type;if(type===
"hidden")return null;if(LISTABLE.has(type)&&referenced(input,"list").some(list=>tagOf(list)==="datalist"))return"combobo\
x";return INPUT_ROLES.get(type)??"textbox"}function cellRole(cell){const table=closest(cell,"table");const role=table&&explicitRole(
table);return role==="grid"||role==="treegrid"?"gridcell":"cell"}function headerRole(cell){const scope=attributeOf(cell,
"scope");if(scope==="row"||scope==="rowgroup")return"rowheader";if(scope==="col"||scope==="colgroup")return"columnheader";
const siblings=[cell.previousElementSibling,nextElementOf(cell)];if(!siblings.some(Boolean))return closest(cell,"table")?.
rows.length>1?"columnheader":null;if(siblings.every(sibling=>sibling&&tagOf(sibling)==="th"))return"columnheader";return siblings.
some(isFilledCell)?"rowheader":"columnheader"}function isFilledCell(cell){return cell!==null&&tagOf(cell)==="td"&&(cell.
childElementCount>0||textContentOf(cell).trim()!=="")}function explicitRole(element){const declared=declaredOf(element,"\
role");if(!declared)return null;const words=declared.toLowerCase().split(SPACES).map(role=>role==="image"?"img":role);return words.
find(role=>ROLES.has(role))??null}function implicitRole(element){const known3=TAG_ROLES.get(tagOf(element));const role=typeof known3===
"function"?known3(element):known3??null;return role&&(removedRole(element)??role)}function removedRole(element){for(let node=element;;){
const holder=parentOrHostOf(node);const owners2=OWNERS.get(tagOf(node));if(!owners2||!holder||!owners2.includes(tagOf(holder)))
return null;const role=explicitRole(holder);if((role==="none"||role==="presentation")&&!ignoresPresentation(holder))return role;
node=holder}}function ignoresPresentation(element){if(matches(element,GLOBAL_STATES)||hasTabIndex(element))return true;return matches(
element,FOCUSABLE)&&!matches(element,":disabled")}function roleOf(element){return getOrCompute(memo.roles,element,computeRole)}
function isRoleDisputed(element){if(tagOf(element)==="a"&&!hasAttribute(element,"href")&&matches(element,LINK))return true;
const attribute=attributeOf(element,"role");return/\bimage\b/i.test(attribute??"")||attribute===null&&declaredOf(element,
"role")!==null}function hasRoleIn(roles,role){return role!==null&&roles.has(role)}function computeRole(element){const declared=explicitRole(
element);const isGone2=declared==="none"||declared==="presentation";return declared&&!(isGone2&&ignoresPresentation(element))?
declared:implicitRole(element)}var LONGEST_NAME=900;var NAMELESS=new Set("caption code deletion emphasis generic insertion mark paragraph presentation \
strong subscript superscript time".split(" "));var TERMS=new Set(["definition","term"]);var FROM_CONTENT=new Set("button\
 cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader swi\
tch tab tooltip treeitem".split(" "));var TRANSPARENT=new Set("caption code contentinfo definition deletion emphasis gen\
eric insertion list listitem mark none paragraph presentation region rowgroup strong subscript superscript table term ti\
me".split(" ").concat(""));var LOOSE_GROUPS=new Set(["address","hgroup"]);var PUSH_TYPES=new Set(["button","submit","res\
et"]);var PLACEHOLDER_TYPES=new Set(["text","password","number","search","tel","email","url"]);var TITLED_BY=new Map(Object.
entries({fieldset:"legend",figure:"figcaption",table:"caption"}));var isDisputed=false;var isWithheld=false;var isMuted=false;
var depth=0;function nameOf(element){return getOrCompute(memo.names,element,computeName)}function computeName(element){if(hasRoleIn(
NAMELESS,roleOf(element)))return"";isDisputed=isRoleDisputed(element)||hasRoleIn(TERMS,roleOf(element));isWithheld=false;
isMuted=isAriaHidden(element);const name=collapseSpaces(alternative(element,{by:"self",hidden:tagOf(element)==="area",seen:new Set}));
isMuted=false;if(isDisputed)memo.disputed.add(element);if(isWithheld)memo.withheld.add(element);return name}function labelText(label,control){
return collapseSpaces(alternative(label,{by:"label",hidden:isHidden(label),seen:new Set([control])}))}function alternative(element,way){
if(way.seen.has(element))return"";if(!way.hidden&&isHiddenHere(element,way))return way.by==="self"?"":visibleText(element,
way);const labels=labellers(element);if(way.by!=="labelledby"){const text=labels.map(label=>referencedText(label,"labell\
edby",way)).join(" ");if(collapseSpaces(text))return text;if(text)isDisputed=true}way.seen.add(element);const role=roleOf(
element)??"";if(way.by!=="self"&&!labels.includes(element)){const value=embeddedValue(element,role,way);if(value!==null)
return value}const declared=declaredOf(element,"aria-label");if(declared?.trim()&&attributeOf(element,"aria-label")===null)
isDisputed=true;if(declared?.trim()&&tagOf(element)==="slot")isDisputed=true;else if(declared?.trim())return declared;const plain2=role===
"presentation"||role==="none";const own=plain2?null:nativeName(element,labels.length>0,way);if(own!==null)return own;if(isEdited(
element)&&isSecret(element))return openValue(element,"");if(isNamedFromContent(element,role,way)){const text=contentText(
element,way);if(way.by==="self"?collapseSpaces(text):text)return text}return plain2?"":attributeOf(element,"title")??""}
function isHiddenHere(element,way){return isMuted?isUnrendered(element)||way.by!=="self"&&hasAriaHidden(element):isHidden(
element)}function visibleText(element,way){const{display,visibility}=getComputedStyle(element);const isMutedHere=isMuted?
hasAriaHidden(element):isAriaHidden(element);if(visibility==="visible"||display==="none"||isMutedHere||depth>MAX_DEPTH)return"";
depth++;let text="";for(const child of flatChildren(element)){if(isElement(child))text+=separated(child,alternative(child,
way))}depth--;if(text.trim())isDisputed=true;return text}function labellers(element){if(!hasAttribute(element,"aria-labe\
lledby"))return[];return[...labelledByOf(element)??referenced(element,"aria-labelledby")]}function referencedText(element,by,way){
return alternative(element,{by,hidden:isHidden(element),seen:way.seen})}function isNamedFromContent(element,role,way){if(way.
by==="labelledby"||way.by==="label"||way.by==="caption")return true;if(FROM_CONTENT.has(role)||tagOf(element)==="summary")
return true;if(way.by==="content")isDisputed||=role==="generic";return way.by==="content"&&(TRANSPARENT.has(role)||LOOSE_GROUPS.
has(tagOf(element)))}function embeddedValue(element,role,way){const tag=tagOf(element);if(role==="textbox"||role==="sear\
chbox"){return openValue(element,tag)}if(role==="combobox"||role==="listbox"){const inner2={...way,by:way.by==="self"?"c\
ontent":way.by};const options=chosenOptions(element,tag,role);const isField5=!options||!options.length&&isSecret(element);
if(isField5&&(tag==="input"||isEdited(element)))return openValue(element,tag);if(!options)isDisputed=true;return options?
options.map(option=>alternative(option,inner2)).join(" "):contentText(element,inner2)}if(RANGES.has(role)){if(tag==="inp\
ut"&&isSecret(element))return openValue(element,tag);return["aria-valuetext","aria-valuenow","value"].map(name=>attributeOf(
element,name)).find(isString)??""}return role==="menu"?"":null}function openValue(field,tag){const value=tag==="input"||
tag==="textarea"?field.value:textContentOf(field);if(!isSecret(field))return value;if(value)isDisputed=isWithheld=true;return""}
function isString(value){return typeof value==="string"}function chosenOptions(element,tag,role){if(tag==="select"){return element.
selectedOptions.length?[...element.selectedOptions]:[...element.options].slice(0,1)}const owned=referenced(element,"aria\
-owns");const within2=query=>[element,...owned].flatMap(root2=>[...queryAll(root2,query)]);const inList=role==="listbox"||
[...owned,...within2("[role=listbox]")].some(list=>roleOf(list)==="listbox");return inList?within2('[aria-selected="true\
" i]').filter(option=>roleOf(option)==="option"):null}function nativeName(element,isLabelled3,way){const tag=tagOf(element);
const title=()=>attributeOf(element,"title")??"";switch(tag){case"input":return inputName(element,isLabelled3,way,title);case"\
button":case"output":if(isLabelled3)return null;return labelsOf(element,way)??(tag==="output"?title():null);case"textare\
a":case"select":case"meter":case"progress":if(isLabelled3)return null;return labelsOf(element,way)??(title()||tag==="tex\
tarea"&&attributeOf(element,"placeholder")||"");case"img":case"area":return attributeOf(element,"alt")?.trim()?attributeOf(
element,"alt"):title();default:if(TITLED_BY.has(tag)&&!isLabelled3)return captionName(element,tag,way);return(tag.includes(
"-")&&!isLabelled3?labelsOf(element,way):null)??drawingName(element,tag,way)}}function inputName(input,isLabelled3,way,title){
const type=input.type;if(PUSH_TYPES.has(type)){const visible={submit:"Submit",reset:"Reset",button:""}[type];const value=secrets.
has(input)?openValue(input,"input"):input.value;return value.trim()?value:visible||title()}const isButton2=type==="file"||
type==="image";if(isLabelled3&&!isButton2)return null;const labels=isButton2&&way.by==="labelledby"?null:labelsOf(input,
way);if(labels!==null)return labels;if(type==="file")return"Choose File";if(type==="image")return[attributeOf(input,"alt"),
title()].find(text=>text?.trim())||"Submit";return title()||(PLACEHOLDER_TYPES.has(type)?attributeOf(input,"placeholder")??
"":"")}function labelsOf(control,way){const labels=labelIndex?labelIndex.get(control)??[]:labelElementsOf(control);if(!labels.
length)return null;return labels.map(label=>referencedText(label,"label",way)).filter(Boolean).join(" ")}function captionName(element,tag,way){
for(let child=firstElementOf(element);child;child=nextElementOf(child)){if(tagOf(child)===TITLED_BY.get(tag))return referencedText(
child,"caption",way)}return tag==="table"?attributeOf(element,"summary")||null:attributeOf(element,"title")??""}function drawingName(element,tag,way){
if(!(element instanceof SVGElement))return null;for(let child=firstElementOf(element);child;child=nextElementOf(child)){
if(tagOf(child)==="title")return referencedText(child,"labelledby",way)}return tag==="a"&&attributeOf(element,"xlink:tit\
le")||null}function contentText(element,way){const inner2=way.by==="self"?{...way,by:"content"}:way;const closed=!way.hidden&&
tagOf(element)==="details"&&!element.open;let text=pseudoElementText(element,"::before");depth++;const owned=hasAttribute(
element,"aria-owns")?referenced(element,"aria-owns"):[];for(const child of depth>MAX_DEPTH?[]:flatChildren(element)){if(kindOf(
child)===TEXT)text+=closed?"":dataOf(child);else if(isElement(child))text+=separated(child,owned.includes(child)?ownedText(
child,inner2):alternative(child,inner2))}depth--;return text+pseudoElementText(element,"::after")}function ownedText(element,way){
const wasMuted=isMuted;isMuted||=isAriaHidden(element)&&!hasAriaHidden(element);const text=alternative(element,way);if(isMuted!==
wasMuted&&text.trim())isDisputed=true;isMuted=wasMuted;return text}function separated(element,text){const isInline3=tagOf(
element)!=="br"&&getComputedStyle(element).display==="inline";return isInline3?text:` ${text} `}var MAX_SIDE=1;var MOVED=new Set(["absolute","fixed"]);function isClippedToNothing(style,measureBox,least=0){const{clipPath,
position}=style;if(MOVED.has(position)&&style.clip!=="auto"){const[top,right,bottom,left]=style.clip.slice("rect(".length).
split(/,? /).map(parseFloat);if(right-left<=least||bottom-top<=least)return true}return clipPath!=="none"&&isEmptyShape(
clipPath,measureBox(),least)}function isEmptyShape(shape,{width,height},least){if(/^(circle|ellipse)\(0(px|%)?[ )]/.test(
shape))return true;const[,name,sides]=/^(inset|polygon)\((?:(?:nonzero|evenodd), )?(.*?)(?: round.*)?\)/.exec(shape)??[];
if(name==="polygon"){const corners=sides.split(", ").map(corner=>corner.split(" "));const[across,down]=[corners.map(([x])=>lengthOf(
x,width)),corners.map(([,y])=>lengthOf(y,height))];return Math.max(...across)-Math.min(...across)<=least||Math.max(...down)-
Math.min(...down)<=least}if(name!=="inset")return false;const[top,right=top,bottom=top,left=right]=sides.split(" ");return height-
lengthOf(top,height)-lengthOf(bottom,height)<=least||width-lengthOf(left,width)-lengthOf(right,width)<=least}function lengthOf(length,side){
return length.endsWith("%")?parseFloat(length)*side/100:parseFloat(length)}function clipsContent(element,style){if(style.
overflowX==="visible"||isOfViewport(element))return false;const{width,height}=boxOf(element);return width<=MAX_SIDE||height<=
MAX_SIDE&&style.overflowY!=="visible"}function isOfViewport(element){const top=topOf(document);return element===top||element===
bodyOf(document)&&top!==null&&getComputedStyle(top).overflowX==="visible"}function isClippedByAncestor(element,levels=Infinity){
let mayEscape=false;let node=element;for(let level=0;node&&level<=levels;level++,node=flatTreeParentOf(node)){const style=getComputedStyle(
node);if(node!==element&&clipsContent(node,style)){return!mayEscape||!isWithinElement(hitAt(...middleOf(boxOf(element))),
element)}mayEscape||=MOVED.has(style.position)}return false}var MAX_FIELD_HEIGHT=40;var MAX_FIELD_WIDTH=4;function isForEditor(field){
if(field.spellcheck||field.readOnly||field.tabIndex<0||!isShown(field))return false;const{width,height}=boxOf(field);const{
color,opacity}=getComputedStyle(field);const isDrawn3=opacity!=="0"&&!isTransparent(color)&&Math.min(width,height)>MAX_FIELD_WIDTH;
return height<=MAX_FIELD_HEIGHT&&(!isDrawn3||isClippedByAncestor(field))}var FIELD_TAGS=new Set(["input","select","textarea"]);var VALUELESS=new Set(["checkbox","radio","button","submit","reset",
"image","hidden"]);var TYPED_IN=new Set(["textbox","searchbox","spinbutton"]);var CHECKABLE=new Set(["checkbox","radio",
"switch","menuitemcheckbox","menuitemradio"]);var CHECKED_ROLES=new Set([...CHECKABLE,"option","treeitem"]);var SELECTABLE=new Set(
["option","tab","treeitem","row","gridcell","columnheader","rowheader"]);var MAX_VALUE=1e3;var MAX_MESSAGE=200;function valueOf(control,role){
const value=rawValue(control,role);return value===void 0?void 0:shorten(value,MAX_VALUE)}var DATE_FORMATS={date:"YYYY-MM\
-DD","datetime-local":"YYYY-MM-DDThh:mm",month:"YYYY-MM",time:"hh:mm or hh:mm:ss",week:"YYYY-Www"};function dateFormatOf(control){
return tagOf(control)==="input"?DATE_FORMATS[control.type]:void 0}function enteredText(input){return input.type==="file"?
[...input.files].map(file=>file.name).join(", "):input.value}var UNSEEN=/\ufeff/g;var FILLERS=/[\n\u200b]/g;function editedText(editor2){
const text=innerTextOf(editor2).replace(UNSEEN,"");let left=text.replace(FILLERS,"");if(left.length>MAX_VALUE)return text;
for(const fixed of left?queryAll(editor2,'[contenteditable="false"]'):[]){if(getComputedStyle(fixed).pointerEvents==="no\
ne")left=left.replace((innerTextOf(fixed)??"").replace(FILLERS,""),"")}return left?text:""}function rawValue(control,role){
switch(tagOf(control)){case"input":if(isSecret(control)||VALUELESS.has(control.type))return void 0;return enteredText(control)||
(role==="combobox"?choiceAround(control):"");case"textarea":return isSecret(control)||isForEditor(control)?void 0:control.
value;case"select":return isSecret(control)?void 0:[...control.selectedOptions].map(option=>option.label).join(", ");case"\
progress":case"meter":return hasAttribute(control,"value")?String(control.value):void 0;default:if(isEdited(control))return isSecret(
control)?void 0:editedText(control);if(role==="combobox")return choiceIn(control);if(role==="columnheader"||role==="rowh\
eader")return sortOf(control);if(!hasRoleIn(RANGES,role)&&role!=="separator")return void 0;return declaredOf(control,"ar\
ia-valuetext")??declaredOf(control,"aria-valuenow")??void 0}}function sortOf(header){const order2=declaredOf(header,"ari\
a-sort")?.toLowerCase();return order2==="ascending"||order2==="descending"?order2:void 0}function choiceIn(control){const around2=closest(
control,"label");const isOther2=holder=>closest(holder,"label")!==around2||tagOf(holder)==="option"||isOfPart(holder,control,
UNCHOSEN)||isInPopup(holder,control);for(const root2 of[control,shadowOf(control)]){const texts=root2?[...shownTextNodes(
root2)].filter(({holder})=>!isOther2(holder)):[];if(texts.length)return texts.map(({text})=>text).join(" ")}return""}var FRAME_LEVELS=3;
function choiceAround(input){if(isFramed(input))return"";let frame=parentOrHostOf(input);for(let level=1;frame&&level<FRAME_LEVELS&&
!isFramed(frame);level++)frame=parentOrHostOf(frame);if(!frame||!isFramed(frame)||queryAll(frame,"input:not([type=hidden\
]), select, textarea").length>1)return"";const hints=[...referenced(input,"aria-describedby"),...referenced(input,"aria-\
labelledby")];const isOther2=holder=>hints.some(hint=>contains(hint,holder))||isOfPart(holder,frame,NO_CHOICE);const texts=[
...shownTextNodes(frame)].filter(({holder})=>!isOther2(holder));return texts.map(({text})=>text).join(", ")}function isFramed(element){
const{borderBottomColor,borderBottomWidth}=getComputedStyle(element);return borderBottomWidth!=="0px"&&!isTransparent(borderBottomColor)}
var BUTTONS="button, [role=button]";var UNCHOSEN=`${BUTTONS}, [role=option][aria-selected=false]`;var NO_CHOICE=`${BUTTONS}\
, a, label, legend, [role=listbox], [class*=placeholder i]`;function isOfPart(holder,control,parts){const part=closest(holder,
parts);return part!==null&&part!==control&&contains(control,part)}function isInPopup(holder,control){const list=closest(
holder,"[role=listbox]");if(!list||!contains(control,list))return false;for(let node=list;node&&node!==control;node=parentOrHostOf(
node)){if(OVER_PAGE.has(getComputedStyle(node).position))return true}return false}var OVER_PAGE=new Set(["absolute","fix\
ed"]);function statesOf(control,role){return{checked:checkedState(control,role),expanded:expandedState(control),selected:selectedState(
control,role)??isCurrent(control),disabled:isDisabled(control)||void 0}}function checkedState(control,role){if(tagOf(control)===
"input"&&(control.type==="checkbox"||control.type==="radio")){return control.indeterminate?"mixed":isTicked(control)}const declared=role===
"button"?declaredOf(control,"aria-pressed")?.toLowerCase():declaredTick(control,role);if(declared==="mixed")return"mixed";
return declared==="true"||declared==="false"||hasRoleIn(CHECKABLE,role)?declared==="true":void 0}function declaredTick(control,role){
const declared=declaredOf(control,"aria-checked")??(hasRoleIn(CHECKABLE,role)?declaredOf(control,"aria-pressed"):null);return declared?.
toLowerCase()}function isTicked(control){if(control.checked===void 0){const role=roleOf(control);const declared=declaredTick(
control,role);return declared?declared==="true":selectedState(control,role)===true}const isDrawn3=hasAttribute(control,"\
aria-checked")&&!checkVisibility(control,OPAQUE);return isDrawn3?declaredOf(control,"aria-checked")?.toLowerCase()==="tr\
ue":control.checked}function isFilledSecret(control){const isField5=tagOf(control)==="textarea"||tagOf(control)==="input"&&
!VALUELESS.has(control.type);return isField5&&isSecret(control)&&control.value!==""}function expandedState(control){if(tagOf(
control)==="summary")return parentOf(control)?.open;const declared=declaredOf(control,"aria-expanded")?.toLowerCase();return declared===
"true"||declared==="false"?declared==="true":void 0}function selectedState(control,role){if(tagOf(control)==="option")return control.
selected;const[box,other]=role==="option"?queryAll(control,"input[type=checkbox]"):[];if(box&&!other)return box.checked;
const declared=hasRoleIn(SELECTABLE,role)?declaredOf(control,"aria-selected")?.toLowerCase():void 0;return declared==="t\
rue"||declared==="false"?declared==="true":void 0}var NOT_CHOSEN=new Set(["false","date","time"]);function isCurrent(control){
return!NOT_CHOSEN.has(declaredOf(control,"aria-current")?.toLowerCase()??"false")||void 0}var DISABLED_ROLES=new Set([...WIDGETS,
"application","columnheader","grid","gridcell","group","listbox","menu","menubar","radiogroup","row","rowheader","separa\
tor","tablist","toolbar","tree","treegrid"]);var FIELDS="button, input, select, textarea";var PRESSED="button, input, se\
lect, textarea, option, optgroup, a, label, [role=button], [role=link], [role=checkbox], [role=radio]";function pressedControl(element){
const around2=isEdited(element)?element:closest(element,PRESSED)??element;return tagOf(around2)==="label"?around2.control??
element:around2}function isDisabled(element){const control=pressedControl(element);if(matches(control,":disabled"))return true;
if(!hasRoleIn(DISABLED_ROLES,roleOf(control))&&!matches(control,FIELDS))return false;for(let node=control;node;node=parentOrHostOf(
node)){const declared=declaredOf(node,"aria-disabled")?.toLowerCase();if(declared==="true"||declared==="false")return declared===
"true"}return false}function invalidState(control){const declared=declaredOf(control,"aria-invalid")?.toLowerCase();if(declared?
declared==="false":!matches(control,":user-invalid"))return{};const stated=["aria-errormessage","aria-describedby"].flatMap(
name=>referenced(control,name));const message=[...new Set(stated)].flatMap(element=>[...shownTexts(element)]).join(" ");
return{invalid:true,invalidMessage:message?shorten(message,MAX_MESSAGE):void 0}}function isReadOnly(control){if(["input",
"textarea"].includes(tagOf(control)))return control.readOnly===true;return declaredOf(control,"aria-readonly")?.toLowerCase()===
"true"}function hintsOf(found){const{control,role,tag}=found;const editable=isEditable(control,role);const choosing=tag===
"select"||role==="listbox";const hints=[[!editable&&!choosing&&(found.isControl||found.isClickable),"clickable"],[editable,
"editable"],[choosing||role==="option","selectable"],[hasRoleIn(CHECKABLE,role),"checkable"],[expandedState(control)!==void 0,
"expandable"],[found.isDraggable,"draggable"],[found.isScrollable,"scrollable"],[isSubmitter(control),"submittable"]];return hints.
filter(([holds2])=>holds2).map(([,hint])=>hint)}function isEditable(control,role){const tag=tagOf(control);if(isReadOnly(
control))return false;if(tag==="input")return!VALUELESS.has(control.type)&&control.type!=="file";return tag==="textarea"||
isEdited(control)||tag!=="select"&&hasRoleIn(TYPED_IN,role)}function isSubmitter(control){const tag=tagOf(control);if(tag!==
"button"&&tag!=="input")return false;return(control.type==="submit"||control.type==="image")&&control.form!==null}var NO_LABELS="a, input, textarea, button, select, option, optgroup, [role=link], [role=button], [role=checkbox], [role=\
radio]";var LABEL_TYPES=new Set(["checkbox","radio","file"]);function isDrawnByLabel(control){const tag=tagOf(control);return tag===
"input"&&LABEL_TYPES.has(control.type)||tag==="button"&&hasRoleIn(CHECKABLE,roleOf(control))}function labelledControl(element){
const label=matches(element,NO_LABELS)||isEdited(element)?null:closest(element,"label");return label?.control??markDrawnBy(
element)??element}function controlShownBy(element){return matches(element,"label")?element.control??element:markDrawnBy(
element)??element}function hasDrawing(control){for(let element=control.nextElementSibling;element;element=element.nextElementSibling){
if(markDrawnBy(element)===control&&getComputedStyle(element).cursor==="pointer"&&isShown(element))return true}return false}
function markDrawnBy(element){const input=element.previousElementSibling?element.parentElement?.firstElementChild:null;if(!input||
tagOf(input)!=="input"||input.type!=="checkbox"&&input.type!=="radio")return null;if(closest(element,"label")||textContentOf(
element).trim())return null;const{width,height}=measure(input);return width===0&&height===0&&!checkVisibility(input,OPAQUE)?
input:null}var DOUBLE=2;var PRESS=4;var{apply}=Reflect;var{keys,hasOwn}=Object;var{exec}=RegExp.prototype;var{toString}=Function.prototype;var{slice,toLowerCase}=String.
prototype;var{isArray}=Array;var{getAttributeNames,getAttribute}=Element.prototype;var{get:lookUp,set:store}=WeakMap.prototype;var channel3="";var listeners=new Set;var ownKinds=new Map;var targetKinds=new Map;var isDocumentListening=false;function forgetListeners(){
isDocumentListening=false;listeners.clear();ownKinds.clear();targetKinds.clear()}function openChannel(name){channel3=name;
performance.addEventListener(`${name}!`,event=>note(ownKinds,event));performance.addEventListener(`${name}>`,event=>note(
targetKinds,event));performance.addEventListener(`${name}#`,()=>{isDocumentListening=true})}function note(kinds,{relatedTarget,
screenX}){const element=relatedTarget;listeners.add(element);kinds.set(element,(kinds.get(element)??0)|screenX)}function isTarget({
element,box}){return targetKinds.has(element)&&!ownKinds.has(element)&&areaOf(box)<=innerWidth*innerHeight/4}function isPressable(element){
return((ownKinds.get(element)??0)&(PRESS|DOUBLE))!==0}function isForDoubleClicks(element){return((ownKinds.get(element)??
0)|(targetKinds.get(element)??0))===DOUBLE}function listenIn(root2){return channel3!==""&&!performance.dispatchEvent(new FocusEvent(
channel3,{cancelable:true,relatedTarget:root2}))}function hasPressListener(element){return isAffirmed("?",element)}function hasGestureListener(element){
return isAffirmed("&",element)}function isAffirmed(suffix,relatedTarget){const question2=new FocusEvent(channel3+suffix,
{cancelable:true,relatedTarget});return channel3!==""&&!performance.dispatchEvent(question2)}var MIN_SHARE=.7;function isDelegate(outer,inner2){
if(inner2.length===0)return false;if(isFilling(inner2[0].box,outer))return!(hasRoleIn(SELECTOR_ROLES,outer.role)&&isSame(
outer,inner2[0]));if(isRow(outer))return false;return inner2.length>1||areaOf(outer.box)>innerWidth*innerHeight/2}function isSame(outer,{
content,isControl,role}){return!isControl&&!hasRoleIn(SELECTOR_ROLES,role)&&content===outer.content}function isRow({element,
box}){if(areaOf(box)>innerWidth*innerHeight/4)return false;const kind=kindOfRow(element);const isAlike=sibling=>sibling!==
null&&listeners.has(sibling)&&kindOfRow(sibling)===kind;return isAlike(nextElementOf(element))||isAlike(previousElementOf(
element))}function kindOfRow(element){return`${tagOf(element)} ${attributeOf(element,"class")?.trim().split(SPACES)[0]||
childCountOf(element)}`}function areaOf(box){return box.width*box.height}function isFilling(box,outer){if(outer===null)return false;
const width=Math.min(box.right,outer.box.right)-Math.max(box.left,outer.box.left);const height=Math.min(box.bottom,outer.
box.bottom)-Math.max(box.top,outer.box.top);return Math.max(width,0)*Math.max(height,0)>areaOf(outer.box)*MIN_SHARE}function isInMiddle({
box},outer){const[x,y]=middleOf(outer.box);return x>=box.left&&x<=box.right&&y>=box.top&&y<=box.bottom}function dropListener(found){
found.isClickable=false;found.isDropped=!found.isDraggable&&!found.isScrollable}var FIELDS2="input, select, textarea";function isLostLabel(label){
const id=attributeOf(label,"for");const next=id&&!label.control&&!listeners.has(label)?nextElementOf(label):null;if(!next||
!(matches(next,FIELDS2)||queryAll(next,FIELDS2).length))return false;return queryRoot(rootOf(label),`[id="${CSS.escape(id)}\
"]`).length===0}var ICON_CLASS=/^(?:fa|fas|far|fab|fi|fi-rr|bi|bx|bxs|ti|ri|la|las|ph|pi|oi|uil|mdi|zmdi|icon|icons|glyphicon|icofont|ion|lucide|feather|codicon|octicon|anticon|el-icon|dx-icon|k-i|eva|i-\w+|ui-icon|icon-tabler|ms-Icon-)[-_:](.+)$/;
var ICON_SUFFIX=/^(?:(?:[a-wyz][-_])?(x|.{2,}?)[-_]icon|([A-Z]\w*)Icon)$/;var STYLE_PARTS=/^(?:ui|ui-button|fw|lg|sm|xs|\d+x|spin|solid|regular|light|thin|duotone|brands|inverse|stack|tabler|svg|mui|root|btn|button|pull-\w+|\w+-root|el|ag|ag-[\w-]+)$/i;
var POINTING=/^(?:arrow|arrowthick|carat|caret|triangle)-1-([nesw])$/;var SIDES={n:"up",e:"right",s:"down",w:"left"};var COMPONENTS=new Set(
"accordion action base btn button checkbox chip dropdown field input item multiselect panel select tab tag token trigger".
split(" "));var LIGATURES=/(^|[\s_-])(material-icons|material-symbols)/;var PURPOSES=new Set("add archive back bold book\
mark cancel cart close collapse copy delete dismiss down download edit expand expandable favorite filter flag follow for\
ward fullscreen help home info italic left like menu minus more mute next pause pin play plus prev previous print redo r\
efresh reload remove reply repost reset retweet right save search send settings share sort star stop submit today toggle\
 trash underline undo up upload user zoom".split(" "));var MAX_PARTS=12;var LONGEST_VALUE=30;var MAX_WORDS=3;function iconOf(element){
const parts=[element,...queryAll(element,"svg, use, title, desc, i, span, img, [data-icon], [icon]")].slice(0,MAX_PARTS);
for(const read2 of[iconName,markedIcon]){for(const part of parts){const name=read2(part);if(name&&(part===element||isDrawn(
part)))return worded(name)}}return""}function isDrawn(part){return checkVisibility(closest(part,"svg")??part)}function iconName(part){
const tag=tagOf(part);if(tag==="title"||tag==="desc")return closest(part,"svg")?textContentOf(part):"";if(tag==="use")return(attributeOf(
part,"href")??attributeOf(part,"xlink:href")??"").split("#").pop()?.replace(/^icon[-_]/,"");return declaredIcon(part,tag)||
(isIconFont(part)?textContentOf(part):classIcon(part))}function declaredIcon(part,tag){const names=["data-icon","data-lu\
cide","data-feather","icon"];if(tag.endsWith("-icon"))names.push("name");const declared=names.map(name=>attributeOf(part,
name)).find(Boolean);return declared&&/^[\w:-]+$/.test(declared)?declared.split(":").pop():""}function classIcon(part){const classes=classesOf(
part);const base=classes.find(mark=>/(?:^|[-_])icon$/.test(mark));const named=base&&(classes.find(mark=>mark.startsWith(
`${base}-`))?.slice(base.length+1)??(base==="icon"?purposeOf(part):""));return nameAmong([...classes.map(mark=>ICON_CLASS.
exec(mark)?.[1]?.replace(/^tabler-/,"")),named])}function markedIcon(part){const testId=tagOf(part)==="svg"?attributeOf(
part,"data-testid"):null;return nameAmong([...classesOf(part),testId??""].map(suffixed))}function classesOf(part){return(attributeOf(
part,"class")??"").split(/\s+/)}function nameAmong(names){return(names.find(name=>name&&!STYLE_PARTS.test(name))??"").replace(
POINTING,(_,side)=>SIDES[side])}function suffixed(mark){const[,dashed,joined2]=ICON_SUFFIX.exec(mark)??[];const name=(dashed??
joined2??"").replace(/[-_]+$/,"");return worded(name).toLowerCase().split(" ").some(word=>COMPONENTS.has(word))?"":name}
function isIconFont(element){return LIGATURES.test(attributeOf(element,"class")??"")}function imageText(element){const image=matches(
element,"img, input[type=image]")?element:queryAll(element,"img")[0];return image?attributeOf(image,"alt")||attributeOf(
image,"title")||fileWords(attributeOf(image,"src")??""):""}function backgroundText(element){return fileWords(/url\("(.+?)"\)/.
exec(getComputedStyle(element).backgroundImage)?.[1]??"")}var SHAPES=new Set("circle ellipse line polygon polyline rect".
split(" "));function shapeOf(element){if(!SHAPES.has(tagOf(element))||!element.ownerSVGElement)return"";const fill=attributeOf(
element,"fill")??"";if(/^[a-z]+$/.test(fill)&&fill!=="none"&&fill!=="inherit")return`${fill} ${tagOf(element)}`;const holder=parentOrHostOf(
element);const parts=[tagOf(holder)==="g"?holder:null,element].map(part=>part&&lastWordOf(part)).filter(Boolean);return[
...new Set(parts),tagOf(element)].join(" ")}function lastWordOf(element){const word=worded(classesOf(element)[0]??"").toLowerCase().
split(" ").pop()??"";return/^[a-z]{3,15}$/.test(word)?word:""}function fileWords(url){const file=/([^/]+?)(?:\.\w+)?(?:[?#].*)?$/.
exec(url)?.[1]??"";const isReadable4=!url.startsWith("data:")&&/[a-z]{3}/i.test(file)&&!/[0-9a-f]{12}/i.test(file);return isReadable4?
worded(file):""}function purposeOf(element){for(const mark of[attributeOf(element,"data-direction"),attributeOf(element,
"id"),...(attributeOf(element,"class")??"").split(/\s+/)]){const words=worded(mark??"").toLowerCase().split(" ");if(words.
length<=MAX_WORDS&&words.some(word=>PURPOSES.has(word))){return words.filter(word=>PURPOSES.has(word)).join(" ")}}return""}
var VALUES=["data-value","data-name","data-color","data-colour","data-rating","data-score","data-date","data-key","data-\
code","data-id"];function valueNameOf(element){const value=VALUES.map(name=>attributeOf(element,name)).find(Boolean)??"";
return value.length<=LONGEST_VALUE&&/^[\w#][\w# .:-]*$/.test(value)&&!/[0-9a-f]{8}/i.test(value)?value:""}var TEST_IDS=[
"data-testid","data-test-id","data-test","data-cy","data-qa"];var TEST_WORDS=/^[a-z]{2,}(?:[-_ ][a-z]+)*$/i;var TEST_ID_LEVELS=3;
function testIdOf(element){const words=[];let node=element;for(let level=0;node&&level<TEST_ID_LEVELS;level++){const id=TEST_IDS.
map(attribute=>attributeOf(node,attribute)).find(Boolean)??"";if(TEST_WORDS.test(id))words.unshift(...worded(id).toLowerCase().
split(" "));const holder=parentOrHostOf(node);node=holder&&childCountOf(holder)===1&&!textContentOf(holder).trim()?holder:
null}const name=[...new Set(words)].join(" ");return name.length<=LONGEST_VALUE?name:""}function addressOf(element){const address=attributeOf(
element,"href")??"";return/^[a-z]+:(?!\/)/i.test(address)?"":fileWords(address.replace(/^[a-z]+:\/\/[^/]*/i,"").replace(
/^#/,""))}function worded(name){return name.replace(/([a-z])([A-Z])/g,"$1 $2").replace(/[-_]+/g," ").trim()}var NESTED="ul, ol, menu, [role=group], [role=tree], [role=menu]";function nestedLists(item){if(!firstElementOf(item))return[];
const around2=closest(item,NESTED);return[...queryAll(item,NESTED)].filter(list=>closest(parentOf(list),NESTED)===around2)}
function labelOf(item,nested){return childElementsOf(item).find(child=>!holdsAny(child,nested)&&isShown(child)&&textContentOf(
child).trim())}function ownTextNodes(item){const nodes=[];for(let node=firstOf(item);node;node=nextOf(node))if(kindOf(node)===
TEXT&&dataOf(node).trim())nodes.push(node);return nodes}function isFilledByList(item,nested=nestedLists(item)){const{left,
right,top,bottom}=measure(item);const[x,y]=[(left+right)/2,(top+bottom)/2];return nested.some(list=>{const box=measure(list);
return isShown(list)&&box.left<=x&&x<=box.right&&box.top<=y&&y<=box.bottom})}function holdsAny(element,lists){return lists.
some(list=>element===list||contains(element,list))}var INTERACTIVE="a[href], button, input, select, textarea, [role=button], [role=link], [contenteditable], [onclick], [dr\
aggable=true]";var HEADS="h1, h2, h3, h4, h5, h6, [role=heading], legend, caption";var LONGEST_LABEL=80;var HEAD_DEPTH=3;
function ownText(element){if(isIconFont(element))return"";return wordsBesideLists(element)||headOf(element)||wordsBeforeControls(
element)||beginning(element)}function wordsBeforeControls(element){if(!queryAll(element,INTERACTIVE).length)return"";let words="";
for(const{text,holder}of shownTextNodes(element)){const control=closest(holder,INTERACTIVE);if(control&&control!==element&&
contains(element,control))return words;words=words?`${words} ${text}`:text;if(words.length>MAX_TEXT)break}return""}function headOf(element){
if(beginning(element).length<MAX_TEXT||queryAll(element,INTERACTIVE).length<2)return"";const[head]=queryAll(element,HEADS);
let node=head??element;for(let depth2=0;!head&&depth2<HEAD_DEPTH;depth2++){const first=childElementsOf(node).find(child=>beginning(
child)!=="");if(!first||matches(first,INTERACTIVE))return"";node=first;if(beginning(node).length<=LONGEST_LABEL)break}const words=beginning(
node);return words.length<=LONGEST_LABEL?words:""}function wordsBesideLists(item){const nested=tagOf(item)==="li"&&!isEdited(
item)?nestedLists(item):[];if(!nested.length)return"";const own=ownTextNodes(item).map(dataOf).join(" ").trim();const label=own?
null:labelOf(item,nested);return own||(label?beginning(label):"")}function headingIn(element){const[head]=queryAll(element,
HEADS);return head?beginning(head):""}function beginning(element){let words="";for(const root2 of[element,shadowOf(element)]){
if(!root2)continue;for(const text of shownTexts(root2)){words=words?`${words} ${text}`:text;if(words.length>MAX_TEXT)break}}
return shorten(words,MAX_TEXT)}var CONTROLS=`${INTERACTIVE}, [role=slider], [role=spinbutton], [role=combobox], [role=switch], [role=checkbox], [role=r\
adio]`;var FILE="input[type=file]";var FIELD="input, select, textarea, [contenteditable]";var CELLS="td, th, [role=gridc\
ell], [role=cell]";var LINES="tr, li, dt, [role=row], [role=listitem]";var HEADERS="th, [role=columnheader]";var TITLES=`${HEADS}\
, label, figcaption`;var BOUNDS=new Set("article aside body dialog fieldset footer form header main nav section table tb\
ody ul ol".split(" "));var MAX_LEVELS=3;var MAX_NEIGHBOURS=4;var MAX_PARTS2=6;function labelBeside(element,role){for(const read2 of[
hostLabel,drawnFieldLabel,labelOfReplaced,neighbourLabel]){const name=collapseSpaces(read2(element,role)??"");if(name)return shorten(
name,MAX_TEXT)}return""}function labelFor(element){const id=CSS.escape(attributeOf(element,"id")??"");const isOther2=id&&
!matches(element,FIELD)&&queryRoot(rootOf(element),`:is(${FIELD})#${id}`).length;return id&&!isOther2?queryRoot(rootOf(element),
`label[for="${id}"]`)[0]??null:null}function hostLabel(element){const host=rootOf(element).host;const label=host&&(closest(
host,"label")??labelFor(host));return label&&label.control===host?beginning(label):""}function drawnFieldLabel(element){
const label=labelFor(element);return label?beginning(label):""}function labelOfReplaced(element){let field=previousElementOf(
element);for(let node=element,level=1;node&&!field&&level<MAX_LEVELS;level++){node=parentOrHostOf(node);field=node&&previousElementOf(
node)}if(!field||!matches(field,"input, select, textarea")||checkVisibility(field)&&!hasAriaHidden(field))return"";const label=closest(
field,"label")??labelFor(field);return label?beginning(label):""}function drawnBoxLabel(element,role){const isPlain2=(role===
null||role==="generic")&&!element.ownerSVGElement;const isDrawn3=isPlain2&&firstElementOf(element)===null&&beginning(element)===
"";const next=nextElementOf(element);if(!isDrawn3||matches(element,CELLS)||next&&matches(next,CELLS))return"";return labelAlong(
element,after,1)}function neighbourLabel(element,role){const isTicked2=role!==null&&CHECKABLE.has(role);const cell=closest(
element,CELLS);const isOfRow=isTicked2&&cell!==null&&previousElementOf(cell)===null&&!areHeaders(nextElementOf(cell));const header=isOfRow?
"":columnHeader(element);if(header)return header;if(matches(element,FILE)){const label=labelAlong(element,before,1)||labelAlong(
element,after,1);if(label)return label}const directions=isTicked2?[after,before]:tagOf(element)==="canvas"?[before]:[before,
after];const isInCell=cell!==null&&!isOfRow&&(isTicked2||areHeaders(topCell(cell)));for(const[index,steps]of directions.
entries()){const text=labelAlong(element,steps,index===0?MAX_LEVELS:1,isInCell?cell:null);if(text)return text}return isOfRow?
columnHeader(element):rowHeader(element)}function before(node){return node.previousSibling}function after(node){return node.
nextSibling}function labelAlong(element,step,levels,bound=null){const isSlider=attributeOf(element,"role")==="slider"||element.
type==="range";let node=element;for(let level=0;level<levels&&node!==bound;level++){let count=0;for(let next=step(node);next&&
count<MAX_NEIGHBOURS;next=step(next)){if(kindOf(next)===ELEMENT){count++;if(isOfAnother(next,element))return"";if(isComplaint(
next,element))continue}const text=labelIn(next);if(isSlider&&NUMBERS.test(text))continue;if(text)return text.length<=LONGEST_LABEL&&
!isClickedText(next)?text.replace(/\s*[:*]+$/,""):""}const holder=parentOrHostOf(node);if(!holder||BOUNDS.has(tagOf(holder))||
matches(holder,INTERACTIVE))return"";node=holder}return""}function isComplaint(next,field){if(matches(next,"[role=alert]"))
return true;const id=attributeOf(next,"id");const about2=`${attributeOf(field,"aria-errormessage")??""} ${attributeOf(field,
"aria-describedby")??""}`;return Boolean(id)&&attributeOf(field,"aria-invalid")==="true"&&about2.split(" ").includes(id)}
function isOfAnother(next,element){if(matches(element,FILE))return matches(next,FIELD)||queryAll(next,FIELD).length>0;if(tagOf(
element)==="canvas"&&!matches(next,TITLES))return true;if(matches(next,CONTROLS)||queryAll(next,CONTROLS).length)return true;
const shadow=shadowOf(next);if(shadow&&queryRoot(shadow,CONTROLS).length)return true;const kind=attributeOf(element,"cla\
ss");return kind!==null&&kind===attributeOf(next,"class")&&tagOf(next)===tagOf(element)&&!matches(element,FIELD)}function isClickedText(next){
if(kindOf(next)!==ELEMENT||tagOf(next)==="label"||queryAll(next,"label").length>0)return false;return[next,...[...queryAll(
next,"*")].slice(0,MAX_PARTS2)].some(hasGestureListener)}var NUMBERS=/^[\d\s]+$/;function labelIn(node){if(kindOf(node)===
TEXT)return isTextUnrendered(node)?"":collapseSpaces(dataOf(node));if(kindOf(node)===ELEMENT&&isIconFont(node))return"";
if(kindOf(node)===ELEMENT&&hasAriaHidden(node)&&NUMBERS.test(beginning(node)))return"";return kindOf(node)===ELEMENT&&queryAll(
node,LINES).length<2?beginning(node):""}function emptyCellHeader(element){const cell=closest(element,CELLS);const isOther2=one=>listeners.
has(one)&&!contains(one,element)&&!contains(element,one);return cell&&!beginning(cell)&&![...queryAll(cell,"*")].some(isOther2)?
columnHeader(element):""}function columnHeader(element){const cell=closest(element,CELLS);const first=cell&&topCell(cell);
if(!first)return"";const own=[...queryAll(cell,INTERACTIVE)].filter(other=>other!==element&&!contains(element,other));if(own.
length)return"";let index=0;for(let other=previousElementOf(cell);other;other=previousElementOf(other))index+=other.colSpan??
1;for(let header=first;header;header=nextElementOf(header)){const span=header.colSpan??1;if(index<span)return matches(header,
HEADERS)?beginning(header):"";index-=span}return""}function rowHeader(element){const row=closest(element,"tr");const first=row&&
firstElementOf(row);return first&&matches(first,"th")&&!contains(first,element)&&!areHeaders(first)?beginning(first):""}
function topCell(cell){const row=closest(cell,"tr, [role=row]");const table=row&&closest(row,"table, [role=grid], [role=\
table], [role=treegrid]");const top=table&&queryAll(table,"thead tr, tr, [role=row]")[0];return top&&top!==row?firstElementOf(
top):null}function areHeaders(first){let count=0;for(let cell=first;cell;cell=nextElementOf(cell)){if(!matches(cell,HEADERS))
return false;count+=1}return count>1}function legendOf(element){const set=closest(element,"fieldset, [role=group], [role\
=radiogroup]");if(!set)return"";const legend=tagOf(set)==="fieldset"?queryAll(set,"legend")[0]:null;return legend?beginning(
legend):hasAttribute(set,"aria-label")?attributeOf(set,"aria-label"):""}var TOOLTIP=/^data-(?:[\w-]+-)?(?:tip|tooltip|title|label|hint|balloon|caption|description)(?:-(?:content|text|title))?$/;
var PLACEHOLDER=/^(?:data-|aria-)?(?:[\w-]+-)?placeholder$/;var TOOLTIP_PARTS="[role=tooltip], [class~=tooltip], [class~\
=tooltiptext], [class~=tooltip-text]";var PLACEHOLDER_PARTS="[data-slate-placeholder], [class*=placeholder i]";var LONGEST=100;
var LEVELS=3;function tooltipOf(element){const declared=attributeOf(element,"title")||attributeOf(element,"aria-descript\
ion")||attributeNamed(element,TOOLTIP);return declared||describedBy(element)||shownBeside(element)}function attributeNamed(element,pattern2){
for(const name of namesIn(element)){if(!pattern2.test(name))continue;const text=collapseSpaces(attributeOf(element,name)??
"");if(isReadable(text)&&!isKey(text))return text}return""}function isKey(text){return/^[\w-]{16,}$/.test(text)&&/\d/.test(
text)&&/[a-z]/.test(text)&&/[A-Z]/.test(text)}function isReadable(text){return text.length>1&&text.length<=LONGEST&&/^[^<{[#]*\p{L}/u.
test(text)&&text!=="true"&&text!=="false"}function describedBy(element){const ids2=attributeOf(element,"aria-describedby");
if(!ids2||queryRoot(rootOf(element),`[aria-describedby="${CSS.escape(ids2)}"]`).length>1)return"";const text=collapseSpaces(
referenced(element,"aria-describedby").map(textContentOf).join(" "));return isReadable(text)?text:""}function shownBeside(element){
const part=queryAll(element,TOOLTIP_PARTS)[0];const text=collapseSpaces(part?textContentOf(part):"");if(isReadable(text))
return text;const drawn=[pseudoElementText(element,"::after",true),pseudoElementText(element,"::before",true)].map(collapseSpaces);
return drawn.find(isReadable)??""}var seen=new WeakMap;function placeholderOf(element){const own=attributeOf(element,"pl\
aceholder")||attributeNamed(element,PLACEHOLDER)||attributeOf(element,"data-text");if(own||!isEdited(element))return own;
if(isSecret(element))return"";const shown=collapseSpaces(innerPlaceholder(element)||drawnPlaceholder(element)||placeholderBeside(
element));if(shown)seen.set(element,shown);return seen.get(element)??""}function innerPlaceholder(editor2){const holder=queryAll(
editor2,"[data-placeholder]")[0];if(holder)return attributeOf(holder,"data-placeholder");const part=queryAll(editor2,PLACEHOLDER_PARTS)[0];
return part&&attributeOf(part,"contenteditable")==="false"?textContentOf(part):""}function drawnPlaceholder(editor2){if(textContentOf(
editor2).trim())return"";for(let node=editor2;node;node=firstElementOf(node)){const text=pseudoElementText(node,"::befor\
e")||pseudoElementText(node,"::after");if(/\p{L}/u.test(text))return text}return""}function placeholderBeside(editor2){if(textContentOf(
editor2).trim())return"";let holder=parentOrHostOf(editor2);for(let level=0;holder&&level<LEVELS;level++,holder=parentOrHostOf(
holder)){const parts=[...queryAll(holder,PLACEHOLDER_PARTS)].filter(part=>!hasAttribute(part,"placeholder"));if(parts.length)
return parts.length===1?textContentOf(parts[0]):""}return""}var FIELDS3=new Set("checkbox combobox listbox radio searchbox slider spinbutton switch textbox".split(" "));var ROWS="t\
r, [role=row]";var BLOCKS="p, li, dt, pre, blockquote, figure, h1, h2, h3, h4, h5, h6";function derivedName(element,role){
if(isContainer(element))return shorten(headingIn(element)||collapseSpaces(tooltipOf(element)),MAX_TEXT);const isField5=isEdited(
element)||hasFieldRole(role)||tagOf(element)==="canvas"||matches(element,FILE);const hasControls=isField5&&queryAll(element,
CONTROLS).length>0;const readers=isField5?[hostLabel,drawnFieldLabel,placeholderOf,labelOfReplaced,neighbourLabel,legendOf,
tooltipOf,hasControls?altOf:iconOf,testIdOf]:[role==="row"?beginning:ownText,drawnFieldLabel,altOf,tooltipOf,iconOf,imageText,
purposeOf,backgroundText,addressOf,valueNameOf,emptyCellHeader,shapeOf,drawnBoxLabel,legendOf,testIdOf];for(const read2 of readers){
const name=collapseSpaces(read2(element,role)??"");if(name)return shorten(name,MAX_TEXT)}return""}function altOf(element){
return attributeOf(element,"alt")}function hasFieldRole(role){return role!==null&&FIELDS3.has(role)}function isContainer(element){
if(firstElementOf(element)===null||isEdited(element)||matches(element,INTERACTIVE))return false;if(queryAll(element,ROWS).
length>1)return true;if(attributeOf(element,"tabindex")===null||isClicked(element))return false;return[BLOCKS,INTERACTIVE].
some(parts=>queryAll(element,parts).length>1)}function isClicked(element){return attributeOf(element,"role")!==null||hasAttribute(
element,"onclick")||listeners.has(element)||getComputedStyle(element).cursor==="pointer"}var MAX_NAME=200;function nameFor(found){return namingOf(found).name}function namingOf(found){return getOrCompute(memo.namings,
found.element,()=>computeNaming(found))}function computeNaming(found){const{element,control,role}=found;const isLabel=element!==
control;const given=isLabel?labelText(element,control)||nameOf(control):isOption(element,role)?optionName(element):nameOf(
element);const readable2=given.length>LONGEST_SYMBOL?given:given.replace(GLYPHS,"").trim();const isVague=readable2!==""&&
(isVagueFile(control,isLabel)||isRowLabel(element,role));const label=role==="combobox"&&!isLabel&&isEcho(control,given)?
labelBeside(element,role):"";if(label)return{name:label,isDerived:true};if(readable2&&!isVague)return isSymbol(readable2)?
withTooltip(readable2,given,element):{name:given,isDerived:false};const isUsed=found.isControl||found.isClickable||found.
isDraggable;const derived=isUsed&&!isInsideEditor(element)?derivedName(element,role):"";if(derived&&!isFileField(control)&&
isSymbol(derived)){const{name}=withTooltip(derived,derived,element);const value=valueNameOf(element);return{name:name===
derived&&value!==derived?`${derived} ${value}`.trim():name,isDerived:true}}return{name:derived||given,isDerived:derived!==
""}}var WORDS=/[\p{L}\p{N}]{2,}/gu;function isRowLabel(element,role){const label=role==="row"?attributeOf(element,"aria-\
label"):null;if(label===null)return hasLabelledBox(element,role)&&beginning(element)!=="";if([previousElementOf(element),
nextElementOf(element)].some(row=>row&&attributeOf(row,"aria-label")===label))return true;const words=beginning(element).
match(WORDS)??[];return words.length>0&&!words.some(word=>label.includes(word))}var ROW_ROLES=new Set(["cell","gridcell",
"row"]);function hasLabelledBox(element,role){if(role===null||!ROW_ROLES.has(role)||hasAttribute(element,"aria-labelledb\
y"))return false;return queryAll(element,"input[type=checkbox][aria-label]").length>0}function isEcho(control,name){return name!==
""&&!FIELD_TAGS.has(tagOf(control))&&collapseSpaces(name)===valueOf(control,"combobox")}function isOption(element,role){
return role==="option"&&tagOf(element)!=="option"}function optionName(option){const name=nameOf(option);const hint=hintBehind(
option);if(!hint||!name.endsWith(hint))return name;const beside=[previousElementOf(option),nextElementOf(option)].filter(
other=>other&&roleOf(other)==="option");const isOwn=beside.every(other=>hintBehind(other)!==hint);return isOwn&&name.slice(
0,-hint.length).trim()||name}function hintBehind(option){const hint=pseudoElementText(option,"::after").trim();const only=hint||
childCountOf(option)!==1?null:firstElementOf(option);const inner2=only?pseudoElementText(only,"::after").trim():"";return hint||
(inner2.includes(" ")?inner2:"")}var LONGEST_SYMBOL=4;var GLYPHS=/\p{Co}/gu;var SYMBOL=/^(?:[^\p{L}\p{N}]+|\p{L}|F\d{1,2})$/u;
function isSymbol(name){return name.length<=LONGEST_SYMBOL&&SYMBOL.test(name)}function withTooltip(symbol,given,element){
const tooltip=collapseSpaces(tooltipOf(element));const isNew=tooltip!==""&&tooltip!==given;return{name:isNew?shorten(`${symbol}\
 ${tooltip}`,MAX_NAME):given,isDerived:isNew}}function isVagueFile(control,isLabel){if(isLabel||!isFileField(control))return false;
return!hasAttribute(control,"aria-label")&&!hasAttribute(control,"aria-labelledby")&&!control.labels?.length}function isInsideEditor(element){
if(!isEdited(element)||matches(element,"input, textarea, select, button"))return false;const holder=parentOrHostOf(element);
return holder!==null&&isEdited(holder)}function boundsOf(box){const tenth=length=>Math.round(length*10)/10;return{x:tenth(box.x),y:tenth(box.y),width:tenth(box.
width),height:tenth(box.height)}}function shownNameOf(element){const control=controlShownBy(element);return nameFor({element,
control,role:roleOf(control),isControl:true,isClickable:true,isDraggable:true})}function isFileField(control){return tagOf(
control)==="input"&&control.type==="file"}function listedRole({element,control,role,tag}){if(isFileField(control))return"\
file";const isEditor=(role===null||role==="generic")&&tag!=="body"&&isEdited(element)&&hasAttribute(element,"contentedit\
able");return isEditor?"textbox":shownRole(role,tag)}var NO_ROLES=new Set([null,"none","presentation"]);function shownRole(role,tag){
if(role!==null&&!NO_ROLES.has(role))return role;return tag==="summary"?"button":"generic"}var MAX_APPROVED_NAME=1e3;var shownNameFor=element=>(shownNameOf(
element)??"").slice(0,MAX_APPROVED_NAME);var PRESSED2="button, summary, a[href], select, option, label, input:is([type=c\
heckbox], [type=radio], [type=submit], [type=button], [type=image], [type=reset], [type=file]), [role=button], [role=lin\
k], [role=checkbox], [role=radio], [role=switch], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=\
option], [role=tab]";function approvedSubject(element){const around2=isEdited(element)?element:closest(element,PRESSED2)??
element;return tagOf(around2)==="label"?around2.control??element:around2}function isAsApproved(element,approved){if(!approved)
return true;clearMemo();const subject2=approvedSubject(element);return(roleOf(subject2)||"generic")===approved.role&&shownNameFor(
subject2)===approved.name}function isForAnother(element,hit,approved){const own=approvedSubject(element);let isPart3=Boolean(
approved)&&isWithinElement(hit,own)&&!matches(own,PRESSED2)&&!hasGestureListener(own);for(let node=approved&&hit;node&&node!==
element&&node!==own;node=flatTreeParentOf(node)){const control=matches(node,PRESSED2)?approvedSubject(node):own;if(control!==
own)return(shownNameFor(control)||null)!==approved?.name;if(!isPart3||!hasGestureListener(node))continue;if(!approved?.name.
includes(shownNameFor(node)))return true;isPart3=false}return false}var UNREAD=new Set(["input","textarea","select","script","style","noscript","template","svg"]);var NAMELESS2=/^(blob|data):/i;
function*piecesIn(element,isButton2){const tag=kindOf(element)===ELEMENT?tagOf(element):"";if(tag==="img")yield*imagePiece(
element,isButton2);if(UNREAD.has(tag)||tag&&(isHidden(element)||isEdited(element)))return;const isIn2=isButton2||tag==="\
button"||tag!==""&&attributeOf(element,"role")==="button";const shadow=tag?shadowOf(element):null;if(shadow)yield*piecesIn(
shadow,isIn2);let before2="";for(let child=firstOf(element);child;child=nextOf(child)){if(kindOf(child)===ELEMENT){yield*piecesIn(
child,isIn2);before2=""}if(kindOf(child)!==TEXT||isTextUnrendered(child))continue;const data=dataOf(child);const text=collapseSpaces(
data).slice(0,MAX_TEXT);const isApart=before2!==before2.trimEnd()||data!==data.trimStart();if(text)yield{text,isButton:isIn2,
holder:tag?element:element.host,joint:before2?isApart?" ":"":void 0};if(text||before2)before2+=data}}function*imagePiece(image,isButton2){
const alt=attributeOf(image,"alt");const address=attributeOf(image,"src")??"";const text=collapseSpaces(alt||address.split(
"/").pop()||"");if(text&&!isHidden(image))yield{text:text.slice(0,MAX_TEXT),isButton:isButton2,holder:image,isFile:!alt,
isNameless:NAMELESS2.test(address)}}var byId=caller(Document,"getElementById");var byName=caller(Document,"getElementsByName");var OWN_HEADINGS=new Set("art\
icle aside dialog footer li nav section table td th tr".split(" "));var LIVE="[role=alert], [role=status], [role=log], [\
aria-live]";var LANDMARKS=new Set("alertdialog banner complementary contentinfo dialog form main navigation region searc\
h".split(" "));var PERSISTENT=new Set(["banner","contentinfo","navigation"]);var VIEWS=new Set(["alertdialog","article",
"dialog","listitem","main","region","row","tabpanel"]);var LANDMARK_TAGS=new Set("article aside dialog footer form heade\
r li main nav search section tr".split(" "));var NO_LANDMARK={print:"",isPersistent:false,isInView:false};var MAX_SECTIONS=6;
var MAX_GROUPS=50;var MAX_NEAR=80;var LOWEST=9;function contextOf(element){const holder=parentOrHostOf(element)??element;
const landmark=getOrCompute(memo.landmarks,holder,computeLandmark);const texts=[];let lowest=LOWEST+1;for(const{text,level}of computeSections(
element)){if(level>=lowest||texts.length>=MAX_SECTIONS)continue;if(level)lowest=level;texts.push(text)}return{landmark:landmark.
print,section:texts.join(" < "),isPersistent:landmark.isPersistent}}function computeLandmark(element){const holder=parentOrHostOf(
element);const outer=holder?getOrCompute(memo.landmarks,holder,computeLandmark):NO_LANDMARK;if(!LANDMARK_TAGS.has(tagOf(
element))&&!hasAttribute(element,"role"))return outer;const role=roleOf(element)??"";const isInView3=outer.isInView||VIEWS.
has(role)||tagOf(element)==="section";if(!LANDMARKS.has(role))return{...outer,isInView:isInView3};const print=collapseSpaces(
`${role} ${attributeOf(element,"aria-label")??""}`);return{print,isPersistent:outer.isPersistent||PERSISTENT.has(role)&&
!isInView3,isInView:isInView3}}function computeSections(element){const holder=parentOrHostOf(element);if(!holder)return[];
const groups=getOrCompute(memo.headings,rootOf(element),headingsIn).get(holder);const above=groups?headingsBefore(groups,
element):[];const label=labelOf2(holder);if(!above.length&&!label&&!LANDMARK_TAGS.has(tagOf(holder))&&!hasAttribute(holder,
"role")){return getOrCompute(memo.sections,holder,computeSections)}const{isPersistent}=getOrCompute(memo.landmarks,holder,
computeLandmark);const isTop=isPersistent&&PERSISTENT.has(roleOf(holder)??"");const outer=isTop?[]:getOrCompute(memo.sections,
holder,computeSections);return above.length||label?[...above,...label,...outer]:outer}function labelOf2(element){if(!hasAttribute(
element,"aria-label")&&!hasAttribute(element,"aria-labelledby"))return"";const text=nameOf(element);return text&&[{text:shorten(
text,MAX_TEXT),level:0}]}function headingsIn(root2){const index=new Map;if(kindOf(root2)===ELEMENT)return index;for(const element of queryRoot(
root2,HEADS)){if(!isShown(element)||closest(element,LIVE))continue;const heading={element,level:levelOf(element)};for(let child=element,
parent=parentOf(child);parent&&kindOf(parent)===ELEMENT;child=parent,parent=parentOf(child)){const groups=getOrCompute(index,
parent,()=>[]);if(groups.at(-1)?.child===child)groups.at(-1).headings.push(heading);else groups.push({child,headings:[heading]})}}
return index}function levelOf(heading){const[,digit]=/^h(\d)$/.exec(tagOf(heading))??[];if(digit)return Number(digit);return attributeOf(
heading,"role")==="heading"?Number(attributeOf(heading,"aria-level"))||2:LOWEST}function headingsBefore(groups,child){const found=[];
let lowest=LOWEST+1;const kind=kindOfChild(child);let last=groups.length-1;while(last>=0&&!(groups[last].child.compareDocumentPosition(
child)&Node.DOCUMENT_POSITION_FOLLOWING))last--;for(let i=last;i>=0&&i>last-MAX_GROUPS&&lowest>1;i--){if(groups[i].child===
child)continue;const heading=headingOf(groups[i],kind);if(!heading||heading.level>=lowest)continue;lowest=heading.level;
const text=shorten(collapseSpaces(openTextOf(heading.element)),MAX_TEXT);if(text)found.push({text,level:lowest})}return found}
function kindOfChild(child){return`${tagOf(child)} ${attributeOf(child,"class")?.trim().split(SPACES)[0]??""}`}function headingOf({
child,headings},kind){if(headings[0].element===child)return headings[0];if(OWN_HEADINGS.has(tagOf(child))||kindOfChild(child)===
kind)return null;const highest=Math.min(...headings.slice(0,MAX_GROUPS).map(({level})=>level));const all=headings.filter(
({level})=>level===highest);return all.length===1?all[0]:null}var TRAILING_COUNT=/\s*\(\d+\)(?= <|$)/g;function isSameSection(before2,after2){
return before2===after2||before2.replace(TRAILING_COUNT,"")===after2.replace(TRAILING_COUNT,"")}function wordsBeside(element){
let node=parentOrHostOf(element);while(node&&node!==bodyOf(document)){const words=getOrCompute(memo.near,node,firstWords);
if(words)return words;node=parentOrHostOf(node)}return""}function firstWords(element){let words="";for(const{text,isButton:isButton2}of piecesIn(
element,false)){if(!isButton2)words+=` ${text}`;if(words.length>MAX_NEAR)break}return words.trim().slice(0,MAX_NEAR)}function routeHere(){
return getOrCompute(memo.routes,document,computeRoute)}function computeRoute(){const{pathname,search,hash}=location;const name=hash.
slice(1);if(!name||name==="top")return pathname+search;const isAnchor=!/^[/!]/.test(name)&&[name,decoded(name)].some(id=>byId(
document,id)||byName(document,id).length);return isAnchor?pathname+search:pathname+search+hash}function decoded(text){try{
return decodeURIComponent(text)}catch{return text}}var DRAWN=new Set("audio button canvas embed iframe img input meter object picture progress select svg textarea video".split(
" "));var MAJOR="h1, main, nav, [role=main], [role=navigation], [role=banner], [role=contentinfo]";var COUNTED=/\d/;function hasTwinBeside(element){
return getOrCompute(memo.twins,element,computeTwinBeside)}function computeTwinBeside(element){return isTwin(nextElementOf(
element),element)||isTwin(previousElementOf(element),element)}function isTwin(other,element){if(other===null||tagOf(other)!==
tagOf(element)||classOf(other)!==classOf(element))return false;if(isNamedPart(other)||isNamedPart(element)||!showsAnything2(
other))return false;return hasMajorPart(other)===hasMajorPart(element)}function classOf(element){return hasAttributes(element)?
attributeOf(element,"class")?.trim().split(SPACES)[0]??"":""}function isNamedPart(element){const id=hasAttributes(element)?
attributeOf(element,"id"):null;return Boolean(id)&&!COUNTED.test(id??"")&&classOf(element)===""}function hasMajorPart(element){
return getOrCompute(memo.majors,element,it=>queryAll(it,MAJOR).length>0)}function showsAnything2(element){const{width,height}=boxOf(
element);return width>0&&height>0&&hasContent(element)}function hasContent(node){for(let child=firstOf(node);child;child=
nextOf(child)){const kind=kindOf(child);if(kind===TEXT&&dataOf(child).trim())return true;if(kind!==ELEMENT)continue;const tag=tagOf(
child);if(DRAWN.has(tag)||!UNRENDERED_TAGS.has(tag)&&hasContent(child))return true}const shadow=kindOf(node)===ELEMENT?shadowOf(
node):null;return shadow!==null&&hasContent(shadow)}var ROWS2="tr, li, article, [role=row], [role=listitem], [role=option], [role=article], [role=treeitem]";var NO_ROWS=new Set(
"td th span b i em strong p button label a".split(" "));var CHOICES=new Set("generic listitem option menuitem menuitemch\
eckbox menuitemradio tab".split(" "));var MAX_LEVELS2=2;var CLIPPING_LEVELS=5;var MIN_ALIKE=3;var MARKS=/^(id|data-testid|data-(?:.+-)?(?:id|key|pk|uid|uuid|sku|slug))$/;
var GENERATED=/:|[0-9a-f]{8}|^(react|ember|radix|mui|headlessui)/i;var NUMBERED_TWICE=/\d\D+\d+$/;var LISTED_ROLES=new Set(
["option","menuitem","menuitemcheckbox","menuitemradio"]);var MAX_PIECES=12;var MAX_ROWS=500;var LETTER=/\p{L}/u;var WORDS2=/[\p{L}\p{N}]/u;
var MANY_DIGITS=/\d{4}/;function rowsOf(element,name,isUnique){const rows=[];let spare;for(let node=firstRow(element,isUnique);node&&
rows.length<MAX_LEVELS2;node=nextRow(node,isUnique)){const row=getOrCompute(memo.rows,node,computeRow);const[word,...more]=row.
key.words;if(!row.key.marks&&!more.length&&(word===void 0||word===name))spare??=row;else if(!rows.length||row.isPlain||groupOf(
node).length>=MIN_ALIKE)rows.push(row);if(rows.length&&row.isPlain)break}return rows.length||!spare?.print?rows:[spare]}
function firstRow(element,isUnique){return matches(element,ROWS2)?element:nextRow(element,isUnique)}function nextRow(element,isUnique){
let node=parentOrHostOf(element);if(isUnique){while(node&&!closest(node,ROWS2))node=hostOf(node);return node&&closest(node,
ROWS2)}while(node&&!matches(node,ROWS2)&&!isOneOfMany(node))node=parentOrHostOf(node);return node}function hostOf(element){
const root2=rootOf(element);return kindOf(root2)===FRAGMENT?root2.host??null:null}function computeRow(element){const isPlain2=matches(
element,ROWS2);const{words,button}=textsOf(element);const key={words,button,marks:marksOf(element),tag:tagOf(element)};const print=[
...words,button,key.marks].filter(Boolean).join(" ");const first=firstReadable(element);const text=first===void 0||WORDS2.
test(first)?first:words.filter(word=>WORDS2.test(word)).join(" ")||first;return{element,key,print,text,isPlain:isPlain2}}
function firstReadable(row){let file;for(let count=1;;count++){const pieces=piecesUpTo(row,count);if(pieces.length<count)
return file;const{text,holder,isButton:isButton2,isFile,isNameless}=pieces[count-1];if(!isButton2&&!isFile&&!isClippedByAncestor(
holder,CLIPPING_LEVELS))return text+textBehind(row,count);if(!isButton2&&isFile&&!isNameless)file??=text}}function textBehind(row,count){
let words="";for(let next=count+1;;next++){const piece=piecesUpTo(row,next)[next-1];if(piece?.joint===void 0)return words;
words+=piece.joint+piece.text}}function textsOf(row){const first=firstText(row);if(first!==void 0&&isEnough(first)&&textCounts?.
get(first)===1)return{words:[first],button:void 0};return getOrCompute(memo.rowKeys,groupOf(row),keysOfRows).get(row)??{
words:[],button:void 0}}function groupOf(row){const groups=getOrCompute(memo.rowGroups,parentOrHostOf(row),groupsIn);return getOrCompute(
groups,kindOfRow2(row),()=>[row])}function kindOfRow2(element){return matches(element,ROWS2)?tagOf(element):`${tagOf(element)}\
 ${attributeOf(element,"class")?.trim().split(SPACES)[0]}`}function isOneOfMany(element){return!NO_ROWS.has(tagOf(element))&&
element!==bodyOf(document)&&hasTwinBeside(element)}function groupsIn(parent){const groups=new Map;const roots=parent?[parent,
shadowOf(parent)]:[];for(const root2 of roots){for(let child=root2&&firstChildOf(root2);child;child=nextElementOf(child))
addToList(groups,kindOfRow2(child),child)}return groups}function firstChildOf(root2){return kindOf(root2)===ELEMENT?firstElementOf(
root2):root2.firstElementChild}function marksOf(element){if(!hasAttributes(element))return"";const names=element.getAttributeNames().
filter(name=>MARKS.test(name));const values=names.map(name=>[name,attributeOf(element,name)??""]);const isListed2=LISTED_ROLES.
has(attributeOf(element,"role")??"");const isGenerated=id=>GENERATED.test(id)||isListed2&&NUMBERED_TWICE.test(id);return values.
filter(([name,value])=>value&&!(name==="id"&&isGenerated(value))).map(([,value])=>value).join(" ")}function keysOfRows(rows){
const keys2=new Map;const known3=rows.slice(0,MAX_ROWS);distinguish(known3,0,[],keys2);distinguishByButtons(known3.filter(
row=>keys2.get(row).isShared),keys2);return keys2}function distinguish(rows,position,words,keys2){const alike=Map.groupBy(
rows,row=>wordAt(row,position));for(const[text,group]of alike){const isEnd=text===void 0||position+1>=MAX_PIECES;const isCounter=text!==
void 0&&!LETTER.test(text)&&group.length>1&&group.length*2>=rows.length;const more=text===void 0||isCounter?words:[...words,
text];if(isEnd||group.length===1&&isEnough(text)){for(const row of group)keys2.set(row,{words:more,button:void 0,isShared:group.
length>1})}else distinguish(group,position+1,more,keys2)}}function isEnough(text){return LETTER.test(text)||MANY_DIGITS.
test(text)}function distinguishByButtons(rows,keys2){const counts=new Map;for(const row of rows)for(const text of new Set(
buttonTexts(row)))addToList(counts,text,row);for(const row of rows)keys2.get(row).button=buttonTexts(row).find(text=>counts.
get(text).length===1)}function buttonTexts(row){return piecesUpTo(row,MAX_PIECES).filter(({isButton:isButton2})=>isButton2).
map(({text})=>text)}function wordAt(row,position){for(let count=position+1;;count++){const pieces=piecesUpTo(row,count);
const words=pieces.filter(({isButton:isButton2})=>!isButton2);if(words.length>position||pieces.length<count)return words[position]?.
text}}function firstText(row){return wordAt(row,0)}function piecesUpTo(row,count){const known3=getOrCompute(memo.pieces,
row,startPieces);while(known3.pieces.length<Math.min(count,MAX_PIECES)){const{value,done}=known3.source.next();if(done)break;
known3.pieces.push(value)}return known3.pieces}function startPieces(row){return{pieces:[],source:piecesIn(row,false)}}function textOfRow(element,role,{
element:around2,text}){if(!CHOICES.has(role??"generic"))return text;if(role===null&&!attributeOf(element,"class"))return text;
const holder=parentOrHostOf(element);const item=holder&&holder!==around2&&tagOf(holder)==="li"?holder:element;const first=firstText(
around2);const isOfSibling=item!==around2&&groupOf(item).some(other=>other!==item&&firstText(other)===first);return isOfSibling?
void 0:text}function depthIn(element,row){let depth2=0;for(let node=element;node&&node!==row.element;node=parentOrHostOf(
node))depth2++;return depth2}function isInRow(element,key,depth2){let row=element;for(let step=0;row&&step<depth2;step++)
row=parentOrHostOf(row);return row!==null&&tagOf(row)===key.tag&&marksOf(row)===key.marks&&hasTexts(row,key)}function hasTexts(row,key){
if(key.button!==void 0&&!buttonTexts(row).includes(key.button))return false;let position=0;for(const{text,isButton:isButton2}of piecesUpTo(
row,MAX_PIECES)){const wanted=key.words[position];if(isButton2)continue;if(text===wanted)position++;else if(LETTER.test(
text)||wanted!==void 0&&!LETTER.test(wanted))return position===key.words.length;if(position===key.words.length&&position>
0)return true}return position===key.words.length}var PassedElements=class{constructor(){this.elements=new WeakSet;this.counts=new Map}add({element,role,tag}){this.elements.
add(element);increment(this.counts,kindOf2({role,tag}))}};function kindOf2({role,tag}){return`${shownRole(role,tag)} ${tag}`}
function chooseChanged(chosen,listed3,refs,{known:known3,max}){const isKnown=refs.elementsOf(known3);const isListed2=listed3===
chosen?null:new Set(listed3);const allowed=growth(chosen.filter(found=>!isKnown.has(found.element)),refs.passed);const page=[];
const passed=new PassedElements;let news=0;for(const found of chosen){if(isKnown.has(found.element))page.push(found);else if(isListed2?.
has(found)===false||refs.passed.elements.has(found.element)||!take(allowed,found))passed.add(found);else if(news++<max)page.
push(found)}remember(refs,passed);return{page,later:Math.max(0,news-max)}}function rememberPassed(refs,page,chosen){const passed=new PassedElements;
if(page.length<chosen.length){const listed3=new Set(page);for(const found of chosen)if(!listed3.has(found))passed.add(found)}
remember(refs,passed)}function revertPassed(refs){refs.passed=refs.passedBefore}function remember(refs,passed){refs.passedBefore=
refs.passed;refs.passed=passed}function growth(others,passed){const[counts,kept]=[new Map,new Map];for(const found of others){
increment(counts,kindOf2(found));if(passed.elements.has(found.element))increment(kept,kindOf2(found))}for(const[kind,count]of passed.
counts){const isRenderedAgain=2*(kept.get(kind)??0)<count;counts.set(kind,isRenderedAgain?(counts.get(kind)??0)-count:Infinity)}
return counts}function take(allowed,found){const left=allowed.get(kindOf2(found))??0;allowed.set(kindOf2(found),left-1);
return left>0}var MAX_REF=24;var hasWordsInRefs=true;function spellRefs(hasWords2){hasWordsInRefs=hasWords2}var MAX_ENTRIES=1e4;var MAX_CONTEXT=60;
var GENERATED2=/\d{3}|:|[0-9a-f]{8}|^(react|ember|radix|mui|headlessui)|(^|[-_])(?=[a-z]*\d+[a-z])[a-z0-9]{7,}($|[-_])|[-_]r(_?[0-9a-z]|\d[0-9a-z]|[0-9a-z]\d)($|[-_])|(^|[-_])v-\d+($|[-_])/i;
var OWN_FIELDS=["role","name","tagName","type","href","field","key","form"];var FINGERPRINT_FIELDS=[...OWN_FIELDS,"row",
"section","landmark","route"];var Registry=class{constructor(){this.prefix="";this.id=`${Math.round(performance.timeOrigin)}\
-${Math.random().toString(36).slice(2,10)}`;this.document=document;this.byElement=new WeakMap;this.byRef=new Map;this.taken=
new Set;this.wanted=new Map;this.described=[];this.passed=new PassedElements;this.passedBefore=this.passed}clear(){this.
byElement=new WeakMap;this.byRef.clear()}add(found,print,stem=slugOf(found,print)){const entry={ref:this.unused(stem),stem,
element:null,print,isAct:true,isAmbiguous:true};this.byRef.set(entry.ref,entry);this.attach(entry,found.element);return entry}attach(entry,element){
entry.element=new WeakRef(element);this.byElement.set(element,entry)}drop(entry){this.byRef.delete(entry.ref);this.byElement.
delete(entry.element.deref());this.taken.delete(entry.ref);this.wanted.set(entry.stem,this.wanted.get(entry.stem)-1)}unused(stem){
const joint=/\d$/.test(stem)?"x":"";let ref;do{increment(this.wanted,stem);const n=this.wanted.get(stem);ref=`@${this.prefix}${stem}${n===
1?"":`${joint}${n}`}`}while(this.taken.has(ref));this.taken.add(ref);return ref}elementsOf(refs){return new Set(refs.flatMap(
ref=>this.byRef.get(ref)?.element.deref()??[]))}prune(){if(this.byRef.size<=MAX_ENTRIES)return;for(const[ref,entry]of this.
byRef)if(!isAlive(entry))this.byRef.delete(ref)}orphans(){const orphans=new Map;for(const entry of this.byRef.values())if(!isAlive(
entry))addToList(orphans,kindOfPrint(entry.print),entry);return orphans}};function isAlive(entry){const element=entry.element.
deref();return element!==void 0&&isConnected(element)}var registry=new Registry;function registryHere(prefix){if(registry.
document!==document)registry=new Registry;registry.prefix=prefix??registry.prefix;return registry}function fingerprintOf(found,name,isUnique,observed){
const{element,role,tag}=found;const isKept=observed?.rows.every(({key,depth:depth2})=>isInRow(element,key,depth2))??false;
const rows=isKept?[]:rowsOf(element,name,isUnique);const{landmark,section,isPersistent}=contextOf(element);return{role:shownRole(
role,tag),name,tagName:tag,type:attributeOf(element,"type")??void 0,href:attributeOf(element,"href")??void 0,field:attributeOf(
element,"name")??void 0,key:keyOf(element,tag)||void 0,form:formOf(element)||void 0,row:isKept?observed?.row:rows.map(({
print})=>print).join(" < ")||void 0,section:section||void 0,landmark:landmark||void 0,route:isPersistent?void 0:routeHere(),
beside:rows.length||observed?.rows.length||isPersistent?void 0:wordsBeside(element),rowText:rows.length?textOfRow(element,
role,rows[0]):void 0,rows:rows.map(row=>({key:row.key,depth:depthIn(element,row)})),isUnique}}var BUTTONS2=new Set(["sub\
mit","button","radio","checkbox","image"]);function keyOf(element,tag){const isSent=tag==="button"||tag==="input"&&BUTTONS2.
has(element.type);const value=isSent?attributeOf(element,"value"):null;return value?`${marksOf(element)} =${value}`:marksOf(
element)}function formOf(element){const form=closest(element,"form");return attributeOf(element,"formaction")??(form&&attributeOf(
form,"action"))}function kindOfPrint({role,name}){return`${role} ${name}`}function rowContext({rowText,name,rows}){const isSaid2=rows[0]?.
depth===0&&name.replace(SPACES,"").includes((rowText??"").replace(SPACES,""));return rowText&&rowText!==name&&!isSaid2?shorten(
rowText,MAX_CONTEXT):void 0}function differs(before2,after2){if(OWN_FIELDS.some(part=>before2[part]!==after2[part])||before2.
row!==after2.row)return true;if(!isSameSection(before2.section??"",after2.section??""))return true;return before2.route!==
after2.route&&before2.beside!==after2.beside}function isReplacement(before2,after2){return FINGERPRINT_FIELDS.every(part=>before2[part]===
after2[part])}function identityOf(print){return JSON.stringify(FINGERPRINT_FIELDS.map(part=>print[part]??null))}function shortFingerprint(print){
const short=FINGERPRINT_FIELDS.filter(part=>print[part]!==void 0).map(part=>[part,shorten(print[part],MAX_NAME)]);return Object.
fromEntries(short)}function slugOf(found,print){const{element,role,tag}=found;const kind=found.isControl||found.isClickable?
tag:"scroll";const plain2=slug(print.role==="generic"?kind:print.role);if(!hasWordsInRefs)return plain2;const testId=attributeOf(
element,"data-testid");const isShared=testId!==null&&(testIdCounts?.get(testId)??1)>1;const authored=[attributeOf(element,
"id"),isShared?null:testId];if(!CHECKABLE.has(role))authored.unshift(attributeOf(element,"name"));const[given]=authored.
filter(name=>name&&!GENERATED2.test(name)).map(slug).filter(Boolean);return given||slugOfWords(print.name)||plain2}function slug(text){
return text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]/g,"").slice(0,MAX_REF)}function slugOfWords(text){let made="";
for(const word of text.split(" ").slice(0,4).map(slug)){if(made&&made.length+word.length>MAX_REF)break;made+=word}return made}var MAX_ROOTS=1e3;var known=new WeakSet;var references=new Set;function rememberShadow(root2){if(known.has(root2)||references.
size>=MAX_ROOTS)return false;known.add(root2);references.add(new WeakRef(root2));return true}function rememberedShadows(){
const roots=[];for(const reference of references){const root2=reference.deref();if(root2&&isConnected(root2)){roots.push(
root2);continue}references.delete(reference);if(root2)known.delete(root2)}return roots}var ROWS3="tr, [role=row], [role=columnheader]";var MAX_EDGE=10;function isEdge(element){if(childCountOf(element)>0||textContentOf(
element))return false;const{width,height}=boxOf(element);if(width<=MAX_EDGE&&closest(element,ROWS3)!==null)return true;if(Math.
min(width,height)>MAX_EDGE)return false;const{cursor,position}=getComputedStyle(element);return cursor.endsWith("-resize")&&
position==="absolute"}var HIDDEN=1;var ARIA_HIDDEN=2;var INERT=4;var CLAIMED=8;var SETTLED=16;var CLIPPED=32;var MIN_REACH=2;var MAX_WRAPPERS=3;
var HANDLERS="[onclick],[ondblclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart],[ontouchend]";
var SIGNALS=`${HANDLERS},[tabindex],[draggable],[contenteditable]`;var MARK_TYPES=new Set(["checkbox","radio"]);var COMPOSITES=new Set(
`generic listbox grid tree treegrid gridcell cell row columnheader rowheader separator menu
menubar tablist radiogroup img application`.split(/\s/));var OPENER="[aria-haspopup]:not([aria-haspopup=false]),[aria-ex\
panded]";var ROVING=new Set(["grid","listbox","tree","treegrid"]);var hasMovedFocus=new WeakSet;function candidate(element,tag,role,style,place){
if(tag==="label"&&element.control)return visibleLabel(element);if(tag==="area")return imageArea(element,role);if(role===
"textbox"&&place.flags&SETTLED&&isShownValue(element,tag))return null;if(isPartOfSelect(element,tag))return null;if(tag===
"option")return isListed(element)?newFound(element,tag,role,{isControl:true,isLeaf:true}):null;const isUnseen=editContextOf(
element)?isTiny(boxOf(element)):tag==="textarea"&&place.flags&CLIPPED&&isForEditor(element);if(role==="textbox"&&isUnseen)
return drawnEditor(element,tag);const traits=traitsOf(element,tag,role,style,place);const mark=traits.isPointer&&!traits.
isControl&&isShown(element)?markDrawnBy(element):null;if(mark)return newFound(element,tag,roleOf(mark),{control:mark,isControl:true,
isLeaf:true,isClickable:true});if(!isAnything(traits)||isDrawing(element,traits)||!(isShown(element)||traits.isControl&&
isContentsShown(element)))return null;if(isClippedAway(element,tag,style,place,traits.isControl)||isStandIn(element,tag,
place))return null;const isLeftOut2=isUntouchable(element,style,traits.isControl)&&(place.flags&ARIA_HIDDEN||!isForKeys(
element,tag,role));return isLeftOut2?null:newFound(element,tag,role,traits)}function isShownValue(element,tag){return!FIELD_TAGS.
has(tag)&&attributeOf(element,"aria-readonly")==="true"&&!matches(element,SIGNALS)}function isDrawing(element,{isControl,
isPointer,isDraggable,isScrollable}){if(!isPointer||isControl||isDraggable||isScrollable)return false;const input=element.
previousElementSibling;if(!input||tagOf(input)!=="input"||!MARK_TYPES.has(input.type)||textContentOf(element))return false;
if(childCountOf(element)>0||matches(element,SIGNALS)||listeners.has(element)||!isReachable(input))return false;const{left,
right,top,bottom}=boxOf(input);const box=boxOf(element);const x=(box.left+box.right)/2;const y=(box.top+box.bottom)/2;return x>
left&&x<right&&y>top&&y<bottom}function isPart(element,tag){return tag==="label"||hasAttribute(element,"for")?labelledBy(
element):isEdge(element)}function labelledBy(label){const id=attributeOf(label,"id");const drawn=attributeOf(label,"for");
if(drawn&&queryRoot(rootOf(label),`[id="${CSS.escape(drawn)}"]${tagOf(label)==="label"?"[role]":""}`).length>0)return true;
const{host}=rootOf(label);if(host&&labelledBy(host))return true;return id!==null&&queryRoot(rootOf(label),`[aria-labelle\
dby~="${CSS.escape(id)}"]`).length>0}function isAnything({isControl,isClickable,isDraggable,isScrollable}){return isControl||
isClickable||isDraggable||isScrollable}function traitsOf(element,tag,role,style,place){const signals=matches(element,SIGNALS);
const isEditor=signals&&isEditingHost(element)||tag==="body";if(isEditor||tag==="input"||tag==="textarea")rememberMasked(
element,style);const isControl=isEditor||hasRoleIn(WIDGETS,role)||isNative(element,tag);const cursor=style?.cursor??"";const isPointer=cursor===
"pointer"&&(tag!=="label"||!isLostLabel(element));const isPlainlyClickable=isPointer||signals&&isActive(element,role);const isHeard=!isControl&&
!isPlainlyClickable&&!(place.flags&SETTLED)&&!place.labelled&&listeners.has(element)&&!isPart(element,tag);const isDraggable=signals&&
attributeOf(element,"draggable")?.toLowerCase()==="true"||isGrabbed(element,cursor);const isScrollable=style!==null&&style.
overflowY!=="visible"&&isScroller(element,tag,style);const isClickable=isPlainlyClickable||isHeard;const isDouble=isClickable&&
!isControl&&!isPointer&&isForDoubleClicks(element);return{isControl,isClickable,isDraggable,isScrollable,isLeaf:isControl&&
!isEditor,isPointer,isHeard,isDouble}}function isGrabbed(element,cursor){if(!cursor.endsWith("grab")&&cursor!=="move")return false;
const holder=parentOrHostOf(element);return holder!==null&&getComputedStyle(holder).cursor!==cursor}function rememberMasked(field,style){
if(textSecurityIn(style??getComputedStyle(field))!=="none")secrets.add(field)}function newFound(element,tag,role,traits){
const isPlain2=traits.box===void 0&&isShown(element);return{element,control:element,tag,role,box:isPlain2?boxOf(element):
traits.box??contentBoxOf(element),isPlain:isPlain2,isMuted:false,modal:null,isControl:false,isClickable:false,isDraggable:false,
isScrollable:false,isLeaf:false,isPointer:false,isHeard:false,isDouble:false,isDropped:false,text:null,content:null,...traits}}
function isClippedAway(element,tag,style,place,isControl){if(tag==="input"&&(element.type==="file"||isDrawnSlider(element,
style,place)))return false;if(place.flags&CLIPPED&&isClippedByAncestor(element))return true;const isNothing=!isControl&&
childCountOf(element)===0&&!textContentOf(element);if(isNothing&&place.flags&ARIA_HIDDEN&&isTiny(boxOf(element)))return true;
return(isNothing||FIELD_TAGS.has(tag))&&isClippedToNothing(style??getComputedStyle(element),()=>boxOf(element))}function isDrawnSlider(element,style,place){
if(element.type!=="range"||element.tabIndex<0||place.flags&ARIA_HIDDEN)return false;if(!(place.flags&CLIPPED))return isClippedToNothing(
style??getComputedStyle(element),()=>boxOf(element));const wrapper=parentOrHostOf(element);if(!wrapper||!isClippedToNothing(
getComputedStyle(wrapper),()=>boxOf(wrapper)))return false;return!isClippedByAncestor(wrapper)}function isUntouchable(element,style,isControl){
if((style??getComputedStyle(element)).pointerEvents!=="none")return false;return!isControl||!checkVisibility(element,OPAQUE)}
function isStandIn(element,tag,{flags}){if(!(flags&ARIA_HIDDEN)||!FIELD_TAGS.has(tag)||isDrawnByLabel(element))return false;
if(attributeOf(element,"tabindex")!=="-1")return false;return!checkVisibility(element,OPAQUE)||element.readOnly&&isTransparent(
getComputedStyle(element).color)}function isPartOfSelect(element,tag){if(tag!=="button")return false;const parent=parentOrHostOf(
element);return parent!==null&&tagOf(parent)==="select"}function isListed(option){const select=closest(option,"select");
if(!select||!isShown(option)||isUntouchable(option,null,true))return false;const{top,bottom,height}=boxOf(option);if(!(select.
multiple||select.size>1))return height>0;const list=boxOf(select);if(isTiny(list))return false;return(top+bottom)/2>list.
top&&(top+bottom)/2<list.bottom}function drawnEditor(element,tag){let editor2=parentOrHostOf(element);while(editor2&&isTiny(
boxOf(editor2)))editor2=parentOrHostOf(editor2);return editor2&&isShown(editor2)?newFound(element,tag,"textbox",{box:boxOf(
editor2),isControl:true,isLeaf:true}):null}function imageArea(area,role){const image=imageOf(area);if(!image||!isShown(image)||
!(hasAttribute(area,"href")||matches(area,HANDLERS)||listeners.has(area)))return null;const box=areaBox(area,image);return newFound(
area,"area",role,{box,isControl:role==="link",isClickable:true,isLeaf:true})}function isNative(element,tag){switch(tag){case"\
button":case"select":case"textarea":return true;case"input":return element.type!=="hidden";case"a":return matches(element,
":any-link");case"summary":return matches(element,"details > summary:first-of-type");case"audio":case"video":return hasAttribute(
element,"controls");default:return false}}function isEditingHost(element){const declared=attributeOf(element,"contentedi\
table");return declared!==null&&declared.toLowerCase()!=="false"&&isEdited(element)}function isActive(element,role){if(matches(
element,HANDLERS))return true;if(role!==null&&!COMPOSITES.has(role)&&!matches(element,OPENER))return false;if(Number(attributeOf(
element,"tabindex")??"-1")<0)return hasMovedFocus.has(element)&&matches(element,":focus-within");if(hasRoleIn(ROVING,role))
hasMovedFocus.add(element);return true}function isScroller(element,tag,style){if(tag==="textarea"||tag==="select")return false;
const rolls=overflow=>overflow==="auto"||overflow==="scroll";if(rolls(style.overflowY)&&scrollHeightOf(element)>clientHeightOf(
element)+1)return true;return rolls(style.overflowX)&&scrollWidthOf(element)>clientWidthOf(element)+1}function visibleLabel(label){
const control=label.control;if(!isDrawnByLabel(control)||!isShown(label)||isReachable(control)||hasDrawing(control))return null;
return newFound(label,"label",roleOf(control),{control,isControl:true,isLeaf:true,isClickable:true})}function isReplaced(element){
if(!isDrawnByLabel(element)||isReachable(element))return false;return(labelIndex?.get(element)??[]).some(label=>isShown(
label)&&boxOf(label).width>0)}function isTiny({width,height}){return width<=MIN_REACH||height<=MIN_REACH}function isReachable(control){
if(!isShown(control))return false;const box=boxOf(control);if(isTiny(box)||isUntouchable(control,null,true))return false;
if(isClippedToNothing(getComputedStyle(control),()=>box)||isClippedByAncestor(control,MAX_WRAPPERS))return false;return box.
right+scrollX>0&&box.bottom+scrollY>0}var TAGS=new Set("div span li a td p img svg g rect circle path polygon label dd dt article section figure i b strong em\
 tr".split(" "));var WORDS3=new Set(["p","b","i","em","strong"]);var NO_KEY=/^data-(?:v-|wp-|react|test|qa$|cy$|aos|src|sizes|theme|bs-|n-|server|turbo|controller|state$|orientation|slot$|radix|headlessui|lazy|bg|animation|delay|speed|track|analytics|gtm|ga-|i18n|l10n|translate|intl)/;
var ACTION=/^data-(?:action|act|cmd|command|href|open|close|toggle|dismiss|goto)$/;var ACTIONS="[data-action], [data-act\
], [data-cmd], [data-command], [data-href], [data-open], [data-close], [data-toggle], [data-dismiss], [data-goto]";var PAGE_PARTS="\
main, nav, form, [role=main], [role=navigation]";var TABLE_CELL="tr + tr > :nth-child(2)";var MAX_WALKED=3e3;var MAX_SHARE=1/
8;var MAX_ALIKE_SHARE=1/24;var MAX_ALIKE_HEIGHT=120;var MIN_KEYED=2;var MIN_ALIKE2=3;var MIN_DISTINCT=.6;var LONGEST_ITEM=160;
var NUMBER=/^\d+$/;function repeatedItems(holder,isDeliberate){const keyed=new Map;const alike=new Map;const all=queryAll(
holder,"*");for(let i=0;i<all.length&&i<MAX_WALKED;i++){if(!TAGS.has(tagOf(all[i]))&&!tagOf(all[i]).includes("-"))continue;
addKeyed(keyed,all[i]);const mark=isDeliberate&&!WORDS3.has(tagOf(all[i]))&&(attributeOf(all[i],"class")?.trim().split(SPACES)[0]||
attributeOf(all[i],"role"));if(mark)groupFor(alike,`${tagOf(all[i])} ${mark}`).members.push(all[i])}const found=[...keyed.
values()].filter(isKeyed).flatMap(({members})=>members.filter(isSmall));const items=found.length?found:outermost([...alike.
values()].map(({members})=>members.filter(isAlikeItem)));const wanted=new Set(items);return[...all].filter(element=>wanted.
has(element))}function namedActions(){const all=[...queryAll(topOf(document),ACTIONS)].slice(0,MAX_WALKED);return all.filter(
element=>TAGS.has(tagOf(element))&&isSmall(element)&&boxOf(element).width>0&&textContentOf(element).trim())}function isPageRoot(element){
return queryAll(element,PAGE_PARTS).length>0}function groupFor(groups,kind){let group=groups.get(kind);if(!group)groups.
set(kind,group={members:[],keys:new Set,isAction:false});return group}function addKeyed(groups,element){const names=namesIn(
element).filter(name=>name.startsWith("data-")&&!NO_KEY.test(name));if(!names.length)return;const group=groupFor(groups,
`${tagOf(element)} ${names.join(" ")}`);group.members.push(element);group.keys.add(names.map(name=>attributeOf(element,name)).
join(" "));group.isAction=names.some(name=>ACTION.test(name))}function isKeyed({members,keys:keys2,isAction}){return isAction||
members.length>=MIN_KEYED&&keys2.size>=Math.max(MIN_KEYED,members.length*MIN_DISTINCT)}function isSmall(element){return isShown(
element)&&areaOf2(element)<=innerWidth*innerHeight*MAX_SHARE}function isAlikeItem(element){if(!isShown(element))return false;
const isLow=boxOf(element).height<=MAX_ALIKE_HEIGHT||areaOf2(element)<=innerWidth*innerHeight*MAX_ALIKE_SHARE;const text=isLow?
collapseSpaces(textContentOf(element)):"";return text!==""&&text.length<=LONGEST_ITEM&&!isWord(element)&&!isLineNumber(element)&&
queryAll(element,TABLE_CELL).length===0}function isLineNumber(element){const gutter=parentOf(element);return[gutter,gutter&&
parentOf(gutter)].some(node=>node&&isElement(node)&&hasAriaHidden(node))&&NUMBER.test(textContentOf(element).trim())}function isWord(element){
const{cursor,display}=getComputedStyle(element);return display==="inline"&&cursor==="text"}function areaOf2(element){const{
width,height}=boxOf(element);return width*height}function outermost(groups){const large=new Set(groups.filter(members=>members.
length>=MIN_ALIKE2).flat());return[...large].filter(element=>!isInAny(element,large))}function isInAny(element,others){for(let node=parentOf(
element);node&&isElement(node);node=parentOf(node))if(others.has(node))return true;return false}var LISTS="ul, ol, menu, table, tbody, [role=list], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=grou\
p], [role=rowgroup], [role=grid], [role=radiogroup], [role=tablist]";var ITEM_TAGS=new Set("div span li a td img svg g r\
ect circle path label dd".split(" "));var SEPARATORS="[role=separator], [role=presentation], [role=none], hr, script, st\
yle, template";var PARTS="main, form, article, section, header, footer, aside, dialog, fieldset, tr, li";var DIALOGS="di\
alog, [role=dialog], [role=alertdialog]";var HEADERS2=new Set(["columnheader","rowheader"]);var FIELDS4=new Set(["textbo\
x","searchbox","combobox","spinbutton","slider","switch","listbox"]);var MAX_WRAPPERS2=4;var MAX_ITEMS=200;var MIN_ALIKE3=3;
var MIN_EMPTY=.3;var MIN_SIDE=4;var LONGEST_ITEM2=160;var LONGEST_CELL=3;function delegatedItems(outer,inner2){if(isRow(
outer)||HEADERS2.has(outer.role))return[];const isPressed2=isPressable(outer.element);const list=listIn(outer);const known3=new Set(
inner2.map(({element})=>element));if(list&&matches(list,LISTS))return asFound({known:known3,...listTargets(itemsOf(list,
isPressed2),outer,inner2,isPressed2)},outer);const isOfParts=isPressed2&&!isPageRoot(outer.element)&&!isWindow(outer.element);
const isDeliberate=isSmallPart(outer)||isOfParts;const controls=new Set(inner2.filter(({isControl})=>isControl).map(({element})=>element));
const isOfControl2=item=>{for(let node=item;node&&node!==outer.element;node=flatTreeParentOf(node)){if(controls.has(node)||
tagOf(node)==="label"&&controls.has(node.control))return true}return false};const repeated2=repeatedItems(outer.element,
isDeliberate).filter(item=>!isOfControl2(item));const children=isOfParts&&isSparse(outer)?alikeIn(outer.element).filter(
child=>textContentOf(child).trim()):[];const items=repeated2.length?repeated2:list?alikeIn(list):children;const busy=busyIn(
items,outer,inner2,isPressed2);const targets=items.filter(item=>!busy.has(item));if(!targets.length||!repeated2.length&&
targets.length*2<items.length)return[];return asFound({known:known3,targets:isSmallPart(outer)?[...targets,...leftOver(outer.
element,targets,inner2)]:targets},outer)}function listTargets(items,outer,inner2,isPressed2){const choice={known:new Set(
inner2.map(({element})=>element)),busy:busyIn(items,outer,inner2,isPressed2),targets:[]};const isElsewhere2=items.filter(
item=>choice.busy.has(item)).length*2>items.length;if(items.length>1)for(const item of items)(isElsewhere2?addNested:addTargets)(
item,choice);return{targets:choice.targets}}function busyIn(items,outer,inner2,isPressed2){const all=new Set(items);const others=inner2.
filter(found=>found.isControl||!all.has(found.element));if(!isPressed2)return holdersOf(others,outer.element);const held2=new Map;
for(const found of others)for(const item of around(found,all))addToList(held2,item,found);const isBusy=([item,inside])=>inside.
some(found=>isField(found)||isFilling(found.box,{box:boxOf(item)}))||isBar(item,inside)||isWrapper(item,inside);return new Set(
[...held2].filter(isBusy).map(([item])=>item))}function isField({isControl,role}){return isControl&&hasRoleIn(FIELDS4,role)}
function isBar(item,inside){const words=inside.filter(({isControl,content})=>isControl&&content).map(({content})=>content).
join("");return inside.length>=MIN_ALIKE3&&words.replaceAll(" ","")===textContentOf(item).replace(SPACES,"")}function isWrapper(item,inside){
const whole={box:boxOf(item)};return!textContentOf(item).trim()&&inside.some(found=>found.isControl&&isInMiddle(found,whole))}
function isSparse({element,box}){const sum=childElementsOf(element).map(boxOf).reduce((area,{width,height})=>area+width*
height,0);return sum>0&&sum*2<box.width*box.height}function nestedItems(outer,inner2){const nested=nestedLists(outer.element).
filter(isShown);if(!nested.length||!(ownTextNodes(outer.element).length||labelOf(outer.element,nested)))return null;const choice={
known:new Set(inner2.map(({element})=>element)),busy:holdersOf(inner2.filter(isOther),outer.element),targets:[]};for(const item of nested.
flatMap(childElementsOf).filter(isItem))addTargets(item,choice);return asFound(choice,outer)}function documentItems(found){
const targets=namedActions();if(!targets.length)return[];const known3=new Set(found.map(({element})=>element));const isInside=element=>{
for(let node=parentOrHostOf(element);node;node=parentOrHostOf(node))if(known3.has(node))return true;return false};const added2=targets.
filter(element=>!known3.has(element)&&!isInside(element)&&isItem(element));return added2.map(element=>newFound(element,tagOf(
element),roleOf(element),{isClickable:true,isHeard:true}))}function isOther({isControl,tag}){return isControl||tag!=="li"}
function asFound({targets,known:known3},outer){const added2=targets.slice(0,MAX_ITEMS).filter(element=>!known3.has(element));
return added2.map(element=>itemFound(element,outer)).filter(isLargeEnough)}function holdersOf(inner2,holder){const busy=new Set;
for(const{element}of inner2){for(let node=element;node&&node!==holder&&!busy.has(node);node=parentOrHostOf(node))busy.add(
node)}return busy}function around({element},items){const holders=[];for(let node=element;node;node=parentOrHostOf(node))
if(items.has(node))holders.push(node);return holders}function leftOver(holder,items,inner2){const taken=[...items,...inner2.
map(({element})=>element)];return childElementsOf(holder).filter(child=>isItem(child)&&textContentOf(child).trim()&&!taken.
some(one=>child.contains(one)))}function isWindow(element){let node=element;for(let step=0;step<MAX_WRAPPERS2;step++){if(matches(
node,DIALOGS))return true;const inner2=childCountOf(node)===1?firstElementOf(node):null;if(!inner2)return false;node=inner2}
return false}function isSmallPart({element,box}){return box.width*box.height<=innerWidth*innerHeight/8&&!matches(element,
PARTS)}function listIn({element,box}){const isSmall3=box.width*box.height<=innerWidth*innerHeight/2;let node=element;for(let step=0;node&&
step<MAX_WRAPPERS2;step++){if(matches(node,LISTS))return node;if(!isSmall3||matches(node,PARTS))return null;if(alikeIn(node).
length>=MIN_ALIKE3)return node;node=childCountOf(node)===1?firstElementOf(node):null}return null}function itemsOf(list,isPressed2){
const tag=tagOf(list);if(tag==="table"||tag==="tbody"||roleOf(list)==="grid")return cellsOrRows(list,isPressed2);return matches(
list,LISTS)?childElementsOf(list).filter(isItem):alikeIn(list)}function cellsOrRows(table,isPressed2){const rows=[...queryAll(
table,"tr, [role=row]")].filter(row=>childElementsOf(row).some(cell=>tagOf(cell)!=="th")&&isItem(row));const cells=rows.
flatMap(childElementsOf).filter(cell=>tagOf(cell)!=="th");if(cells.length<2*rows.length)return rows;const areCells=isCalendar(
cells,rows)||isPressed2&&isSheet(cells)||repeatedItems(table,false).filter(isCell).length*2>cells.length;return areCells?
cells.filter(isItem):rows}function isCalendar(cells,rows){return cells.length>=MIN_ALIKE3*rows.length&&cells.every(cell=>textContentOf(
cell).trim().length<=LONGEST_CELL)}function isSheet(cells){const empty=cells.filter(cell=>!textContentOf(cell).trim()).length;
return empty>=cells.length*MIN_EMPTY||/^(cell|text)$/.test(getComputedStyle(cells[0]).cursor)}function isCell(element){return tagOf(
element)==="td"||roleOf(element)==="gridcell"}function alikeIn(holder){const children=childElementsOf(holder).filter(isItem);
const kinds=new Set(children.map(kindOfItem));const isShort=child=>collapseSpaces(textContentOf(child)).length<=LONGEST_ITEM2;
return kinds.size===1&&!kinds.has("")&&children.every(isShort)?children:[]}function kindOfItem(element){const mark=attributeOf(
element,"class")?.trim().split(SPACES)[0]||attributeOf(element,"role");return ITEM_TAGS.has(tagOf(element))&&(mark||tagOf(
element)==="li")?`${tagOf(element)} ${mark}`:""}function isItem(element){return isShown(element)&&!matches(element,SEPARATORS)&&
!hasAttribute(element,"inert")&&!isLineNumber(element)}function addTargets(item,choice){const{busy,known:known3,targets}=choice;
const nested=nestedLists(item);const label=nested.length?labelOf(item,nested):null;const target2=label&&!known3.has(item)?
label:item;const isUsable2=target2===label||!nested.length||!isFilledByList(item,nested)||ownTextNodes(item).length>0;if(isUsable2&&
!busy.has(target2))targets.push(target2);addNested(item,choice)}function addNested(item,choice){for(const list of nestedLists(
item).filter(isShown)){for(const child of childElementsOf(list).filter(isItem))addTargets(child,choice)}}function itemFound(element,{
element:holder,isMuted:isMuted3,modal}){const isDouble=isForDoubleClicks(holder);return newFound(element,tagOf(element),
roleOf(element),{isClickable:true,isHeard:true,isDouble,isMuted:isMuted3,modal})}function isLargeEnough({element}){const{
width,height}=boxOf(element);return width>=MIN_SIDE&&height>=MIN_SIDE&&!isEdge(element)}function delegate(result,position){const outer=result.found[position];if(outer.isControl||isTarget(outer))return;const items=delegatedItems(
outer,innerOf(result,position));if(items.length){insertAfter(result,position,items);dropListener(outer)}else if(outer.isHeard&&
isDelegate(outer,insideOf(result,position)))dropListener(outer)}function delegateDocument(result){if(isDocumentListening)
insertAfter(result,-1,documentItems(result.found))}function addNested2(result,position){const items=nestedItems(result.found[position],
innerOf(result,position));insertAfter(result,position,items??[]);return items!==null}function innerOf(result,position){return result.
found.slice(position+1).filter(found=>!found.isDropped)}function insertAfter(result,position,items){if(!items.length)return;
const root2=rootOf(result.found[position]?.element??document);const all=[...result.found.splice(position+1),...items];result.
found.push(...all.sort((one,other)=>order(within(root2,one.element),within(root2,other.element))))}function within(root2,element){
let node=element;while(node&&rootOf(node)!==root2)node=rootOf(node).host;return node??element}function order(one,other){
if(one===other)return 0;return one.compareDocumentPosition(other)&Node.DOCUMENT_POSITION_FOLLOWING?-1:1}function insideOf(result,position){
const inside=[];for(let i=position+1;i<result.found.length&&inside.length<2;i++){if(!result.found[i].isDropped)inside.push(
result.found[i])}return inside}function belongsTo(hit,{element,control}){if(isWithinElement(hit,element)||isWithinElement(hit,control))return true;const label=hit&&
closest(hit,"label");return label!==null&&label.control===control}var IN_ONE_PIECE=new Set(["button","input","select","t\
extarea","area"]);function visiblePart(found){const{element,box,tag,isPlain:isPlain2}=found;if(isOffscreen(found))return null;
const pieces=isPlain2&&!IN_ONE_PIECE.has(tag)?[...rectanglesOf(element)]:[box];for(const piece of pieces){const part={left:Math.
max(piece.left,0),right:Math.min(piece.right,innerWidth),top:Math.max(piece.top,0),bottom:Math.min(piece.bottom,innerHeight)};
if(part.right>part.left&&part.bottom>part.top)return part}return null}function isOffscreen({box}){return box.right<=0||box.
bottom<=0||box.left>=innerWidth||box.top>=innerHeight}function isCovered(found){const{left,top,right,bottom}=found.box;const[
x,y]=[Math.max(left,0)+Math.min(right,innerWidth),Math.max(top,0)+Math.min(bottom,innerHeight)];if(hitInDocument(document,
x/2,y/2)===found.element)return false;const part=visiblePart(found);if(part===null)return false;return found.tag==="area"?
pointIn(found)===null:!belongsTo(hitAt(...middleOf(part)),found)}function pointIn(found){const part=visiblePart(found);return part&&
(pointsOf(part).find(([x,y])=>belongsTo(hitAt(x,y),found))??null)}function layerOf(element){for(let node=element;node;node=
flatTreeParentOf(node)){if(attributeOf(node,"aria-modal")==="true")return node;const{position}=getComputedStyle(node);if(position===
"fixed"||position==="absolute"&&fillsViewport(node))return node}return null}function fillsViewport(element){const{left,top,
right,bottom}=measure(element);return left<=1&&top<=1&&right>=innerWidth-1&&bottom>=innerHeight-1}function layersOverAll(){
const layers=new Set;const rest=[];for(const[x,y]of pointsOf({left:0,top:0,right:innerWidth,bottom:innerHeight})){const hit=hitAt(
x,y);const layer=layerOf(hit);if(layer)layers.add(layer);else rest.push(hit)}if(rest.length===0||layers.size===0)return layers.
size>0?layers:null;const shade=[...layers].find(fillsViewport);for(const hit of rest){const box=shade&&boxOver(shade,hit);
if(!box)return null;layers.add(box)}return layers}function boxOver(shade,element){let box=null;for(let node=element;node&&
!isWithinElement(shade,node);node=flatTreeParentOf(node)){if(getComputedStyle(node).position==="absolute")box=node}return box}
function uncovered(found,layers){return found.filter(one=>!isBehind(one,layers))}function isInFront(element,front){if(front.
some(layer2=>isWithinElement(element,layer2)))return true;if(matches(front[0],":modal"))return false;const layer=layerOf(
element);if(layer!==null)return!fillsViewport(layer)&&!isAriaHidden(layer)&&!isUnder(layer,front);const box=boxOver(front[0],
element);return box!==null&&isWithinElement(hitAt(...middleOf(measure(box))),box)}function isUnder(layer,front){const hit=hitAt(
...middleOf(measure(layer)));return front.some(one=>isWithinElement(hit,one))&&getComputedStyle(layer).pointerEvents!=="\
none"}function isBehindModal(element){const layers=layersOverAll();return layers!==null&&isBehind(newFound(element,tagOf(
element),null,{}),layers)}function isBehind(found,layers){const part=visiblePart(found);const around2=element=>layerOf(element)??
[...layers].find(layer=>isWithinElement(element,layer))??null;if(!part)return isOffscreen(found)&&around2(found.element)===
null&&[...layers].some(fillsViewport);return pointsOf(part).every(([x,y])=>{const hit=hitAt(x,y);if(belongsTo(hit,found))
return false;const layer=around2(hit);return layer!==null&&!isWithinElement(found.element,layer)})}var SPACE=Object.freeze({text:null,data:" ",parent:null});function newFlatElement(element,tag,isBare,display,parent){const canvas2=parent&&
(parent.tag==="canvas"?parent:parent.canvas);return{element,tag,isBare,display,parent,canvas:canvas2,holder:null,block:null,
boxRoot:null,ground:null,isReadable:null,region:null,isBound:null,content:null,line:null}}function displayOf(node){return node.
display||=getComputedStyle(node.element).display}function boxRootOf(node){return node.boxRoot??=node.parent&&isInlineBox(
displayOf(node))?boxRootOf(node.parent):node}function blockOf(node){return node.block??=node.parent&&isInline2(displayOf(
node))?blockOf(node.parent):node}function isInlineBox(display){return display==="inline"||display==="contents"||display.
startsWith("ruby")}function isInline2(display){return display.startsWith("inline")||isInlineBox(display)}var MARKS2="input[type=checkbox], input[type=radio]";var GROUPS=new Set(["menu","menubar","radiogroup","tablist"]);var LABELS=[
"aria-label","aria-labelledby","title"];var ROLES2=new Set([null,"generic","listitem","none","presentation"]);function holdersOf2(all){
const places=new Map(all.map(({element},place)=>[element,place]));return all.map(({element})=>{let node=flatTreeParentOf(
element);while(node&&!places.has(node))node=flatTreeParentOf(node);return places.get(node)??-1})}function dropNested(all){
dropWrappersOfSlots(all);dropDrawings(all);dropInnerControls(all);const there=all.filter(({isDropped:isDropped2})=>!isDropped2);
const holders=holdersOf2(there);const counts=there.map(()=>0);for(const holder of holders)if(holder>=0)counts[holder]++;
for(let i=there.length-1;i>=0;i--){const inner2=there[i];let holder=inner2.isDropped?-1:holders[i];while(holder>=0&&counts[holder]===
1&&isWrapper2(there[holder],inner2)){dropListener(there[holder]);holder=holders[holder]}if(holder<0)continue;const outer=there[holder];
const isBox=inner2.role==="combobox"&&isWrapper2(outer,inner2);if(counts[holder]>1&&isStop(outer)||isGroup(outer)||isBox)
dropListener(outer);if(isHandle(outer,inner2))moveHandle(outer,inner2);else if(isPart2(inner2,outer)||isTwin2(inner2,outer)||
isLinkOf(inner2,outer))dropListener(inner2);else if(isInLabel(inner2,outer))inner2.isDropped=true}}function dropWrappersOfSlots(all){
const outers=new Map;for(const found of all)if(found.isHeard&&!found.isDropped&&rootOf(found.element)!==document)outers.
set(found.element,[]);if(outers.size===0)return;for(const found of all){if(found.isDropped)continue;let node=flatTreeParentOf(
found.element);while(node&&!outers.has(node))node=flatTreeParentOf(node);if(node)outers.get(node).push(found)}for(const found of all)
if(isDelegate(found,outers.get(found.element)??[]))dropListener(found)}var NEAR=3;function dropDrawings(all){for(let i=0;i<
all.length;i++){const found=all[i];if(i>0&&found.content&&isLabelOf(found,all[i-1]))dropListener(found);if(found.content!==
""||!isPlainTarget(found))continue;const near=all.slice(Math.max(0,i-NEAR),i+NEAR+1);if(near.some(other=>isDrawnBy(other,
found)))dropListener(found)}}function isLabelOf(label,control){if(label.tag!=="label"||!hasRoleIn(CHECKABLE,control.role)||
label.element.previousElementSibling!==control.element)return false;return isPlainTarget(label)&&label.content===nameFor(
control)}function isDrawnBy({element,role,box,isControl,isMuted:isMuted3},drawing){if(!isControl||isMuted3)return false;
if(drawing.isMuted&&isFilling(box,drawing))return true;if(role!=="slider"&&!hasRoleIn(CHECKABLE,role))return false;const holder=parentOrHostOf(
drawing.element);return holder!==null&&contains(holder,element)&&isOver(box,drawing.box)&&nameFor(drawing)===""}function isOver(one,other){
return one.left<other.right&&one.right>other.left&&one.top<other.bottom&&one.bottom>other.top}function dropInnerControls(all){
const boxes=all.filter(({role})=>role==="combobox");for(const outer of boxes){if(!takesKeys(outer)&&boxes.some(inner2=>takesKeys(
inner2)&&contains(outer.element,inner2.element)))outer.isDropped=true}dropDoubleLabels(all);const roles=new Map(all.map(
({element,role})=>[element,role]));for(const found of all){if(!hasRoleIn(CHECKABLE,found.role))continue;if(isAroundCheckable(
found))found.isDropped=true;const{host}=rootOf(found.element);if(host&&roles.get(host)===found.role&&declaredOf(host,"ar\
ia-checked")!==null)found.isDropped=true}}function isAroundCheckable(found){if(found.tag==="input"||found.element!==found.
control||takesKeys(found))return false;const[field,...others]=queryAll(found.element,MARKS2);return Boolean(field)&&others.
length===0&&field.tabIndex>=0&&isShown(field)}function dropDoubleLabels(all){const labels=new Map;for(const found of all){
if(found.element===found.control)continue;const other=labels.get(found.control);const isAround=contains(found.element,found.
control);if(other)(isAround?other:found).isDropped=true;if(!other||isAround)labels.set(found.control,found)}}function isPlainTarget({
element,role,isClickable,isControl,isDraggable,isScrollable},name){if(!isClickable||isControl||isDraggable||isScrollable||
!ROLES2.has(role))return false;return["aria-label","title"].every(label=>[null,name].includes(attributeOf(element,label)))}
function takesFocus({element}){return attributeOf(element,"tabindex")!==null}function takesKeys({element}){return element.
tabIndex>=0}function isStop(found){return isPlainTarget(found)&&takesFocus(found)&&!found.isPointer&&!found.isHeard&&listenIn(
null)&&!hasGestureListener(found.element)}function isGroup({element,role,isControl,isPointer}){return!isControl&&!isPointer&&
GROUPS.has(role??"")&&LABELS.every(label=>attributeOf(element,label)===null)}function isPart2(inner2,outer){if(!isPlainTarget(
inner2,inner2.content??void 0)||takesFocus(inner2)||!(outer.isClickable||outer.isControl)||inner2.isDouble!==outer.isDouble)
return false;return Boolean(inner2.content)&&inner2.content===outer.content&&isInMiddle(inner2,outer)}var LINKED=new Set(
["menuitem","option","tab","treeitem"]);function isLinkOf(inner2,outer){if(inner2.tag!=="a"||!outer.isControl||!LINKED.has(
outer.role??""))return false;const isReached=attributeOf(inner2.element,"tabindex")!=="-1"&&(inner2.isControl||attributeOf(
inner2.element,"href")!==null);if(isReached&&namesIn(inner2.element).some(name=>name.startsWith("aria-")))return false;return Boolean(
inner2.content)&&inner2.content===outer.content&&isInMiddle(inner2,outer)}function isInLabel(inner2,outer){if(outer.element===
outer.control||inner2.tag!=="button"||attributeOf(inner2.element,"tabindex")!=="-1")return false;const name=nameFor(inner2);
return name!==""&&nameFor(outer).includes(name)}function isTwin2(inner2,outer){if(!inner2.isControl||!outer.isControl||inner2.
role!==outer.role||attributeOf(inner2.element,"role")===null)return false;if(takesFocus(inner2)||!inner2.content||inner2.
content!==outer.content||!isInMiddle(inner2,outer))return false;const states=namesIn(inner2.element).filter(name=>name.startsWith(
"aria-"));return states.every(name=>attributeOf(inner2.element,name)===attributeOf(outer.element,name))}function isHandle(outer,inner2){
const{content,role,isClickable,isControl,isDraggable,isScrollable}=outer;if(!isDraggable||isClickable||isControl||isScrollable||
!ROLES2.has(role))return false;return(isPlainTarget(inner2)||inner2.isControl&&isInMiddle(inner2,outer))&&Boolean(content)&&
inner2.content===content}function moveHandle(outer,inner2){outer.isDraggable=false;outer.isDropped=true;inner2.isDraggable=
true}function isWrapper2(outer,inner2){const isIcon=!inner2.content&&(inner2.role==="img"||isAlone(inner2,outer));if(!(inner2.
isControl||isIcon)||outer.isDouble||!isPlainTarget(outer,nameFor(inner2)))return false;if(inner2.role==="combobox"&&outer.
content&&["",outer.content].includes(valueOf(inner2.control,inner2.role)??""))return true;if(takesKeys(outer)&&rootOf(inner2.
element)!==shadowOf(outer.element))return false;if(!isFilling(inner2.box,outer)&&!isInMiddle(inner2,outer))return isAroundLabelled(
outer,inner2);return outer.content===""||outer.content===inner2.content||outer.content===nameFor(inner2)}var MAX_CELL=64;
function isAlone(inner2,{box,content}){return content===""&&inner2.content===""&&Math.max(box.width,box.height)<=MAX_CELL&&
isPlainTarget(inner2)}function isAroundLabelled(outer,inner2){const name=nameFor(inner2);if(!hasRoleIn(CHECKABLE,inner2.
role)||![name,`${inner2.content} ${name}`].includes(nameFor(outer)))return false;return(labelIndex?.get(inner2.control)??
[]).some(label=>contains(outer.element,label))}var MIN_CONTRAST=1.1;var MIN_ALPHA=.05;var SOLID=.95;var MAX_SEARCHED=300;var PICTURES=new Set("img video canvas picture\
 svg iframe embed object".split(" "));var RGB=/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;var lastColor=null;var lastGround=null;
var lastVerdict=false;var parsed=new Map;var canvas=null;function colorOf(text){return getOrCompute(parsed,text,parseColor)}
function parseColor(text){const found=RGB.exec(text);if(found)return[Number(found[1]),Number(found[2]),Number(found[3]),
Number(found[4]??1)];if(parsed.size>1e3)parsed.clear();canvas??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:true});
canvas.clearRect(0,0,1,1);canvas.fillStyle=text;canvas.fillRect(0,0,1,1);const[red,green,blue,alpha]=canvas.getImageData(
0,0,1,1).data;return[red,green,blue,alpha/255]}function isColorless(element,style,ground){const color=colorOf(style.webkitTextFillColor||
style.color);if(color[3]>=MIN_ALPHA&&hasContrast(color,ground))return false;if(style.webkitBackgroundClip==="text"&&style.
backgroundImage!=="none")return false;if(color[3]<MIN_ALPHA)return style.textShadow==="none"&&!parseFloat(style.webkitTextStrokeWidth);
const behind=getOrCompute(memo.backgrounds,element,computeBackground);if(!behind||hasContrast(color,behind.color))return false;
return style.textShadow==="none"&&!isDrawnOver(element,behind)}function hasContrast(color,ground){if(ground!==lastGround)
lastGround=ground;else if(color===lastColor)return lastVerdict;lastColor=color;return lastVerdict=contrast(blend(color,ground),
ground)>=MIN_CONTRAST}function computeBackground(element){const style=getComputedStyle(element);if(style.backgroundImage!==
"none")return null;const own=colorOf(style.backgroundColor);if(own[3]>=SOLID)return{color:own,owner:element};const holder=flatTreeParentOf(
element);if(!holder)return style.colorScheme.includes("dark")?null:{color:blend(own,[255,255,255,1]),owner:null};const outer=getOrCompute(
memo.backgrounds,holder,computeBackground);return outer&&own[3]>0?{color:blend(own,outer.color),owner:element}:outer}function blend(over2,under){
const mixed=at=>over2[at]*over2[3]+under[at]*(1-over2[3]);return[mixed(0),mixed(1),mixed(2),1]}function contrast(one,other){
const[light,dark]=[luminance(one),luminance(other)].sort((a,b)=>b-a);return(light+.05)/(dark+.05)}function luminance([red,
green,blue]){const linear=part=>part<=10.3?part/3294.6:((part/255+.055)/1.055)**2.4;return .2126*linear(red)+.7152*linear(
green)+.0722*linear(blue)}function isDrawnOver(element,{color,owner}){const box=boxOf(element);const[x,y]=[(box.left+box.
right)/2,(box.top+box.bottom)/2];let scope=element;for(let i=0;i<6&&scope!==owner;i++)scope=flatTreeParentOf(scope)??scope;
const others=queryAll(scope,"*");for(let i=0;i<others.length&&i<MAX_SEARCHED;i++){const other=others[i];if(other===element||
contains(other,element))continue;const area=boxOf(other);if(area.left>x||area.right<x||area.top>y||area.bottom<y||!isShown(
other))continue;if(PICTURES.has(tagOf(other))||getComputedStyle(other).backgroundImage!=="none")return true;const own=colorOf(
getComputedStyle(other).backgroundColor);if(own[3]>0&&hasContrast(own,color))return true}return false}var MIN_SIZE=1.5;var MAX_BLUR=.5;var TRANSPARENT2="rgba(0, 0, 0, 0)";var WHITE=[255,255,255,1];var NOWHERE={left:0,top:0,
right:0,bottom:0};var EVERYWHERE={left:-Infinity,top:-Infinity,right:Infinity,bottom:Infinity};function groundOf(node,style){
return node.ground??=computeGround(node,style)}function computeGround(node,style=getComputedStyle(node.element)){const outer=node.
parent?groundOf(node.parent):{clip:pageArea(),opacity:1,color:WHITE};if(displayOf(node)==="contents")return outer;const{
backgroundColor}=style;const clip=clipOf(node,style,outer);const opacity=isPaintedAway(style)?0:outer.opacity*style.opacity;
const color=backgroundColor===TRANSPARENT2?outer.color:over(colorOf(backgroundColor),outer.color);return clip===outer.clip&&
opacity===outer.opacity&&color===outer.color?outer:{clip,opacity,color}}function isPaintedAway(style){const{filter,maskImage}=style;
if(filter!=="none"){if(filter.includes("opacity(0)"))return true;const blur=/blur\(([\d.]+)px\)/.exec(filter);if(blur&&Number(
blur[1])>parseFloat(style.fontSize)*MAX_BLUR)return true}if(maskImage&&maskImage!=="none"&&isTransparentGradient(maskImage))
return true;if(style.backfaceVisibility!=="hidden"||style.transform==="none")return false;return new DOMMatrix(style.transform).
m33<0}function isTransparentGradient(image){if(image.includes("url(")||!image.includes("gradient("))return false;const colors=image.
match(/rgba?\([^)]*\)/g);return colors!==null&&colors.every(color=>color.startsWith("rgba")&&color.endsWith(", 0)"))}function over(color,under){
return color[3]===1?color:blend(color,under)}function clipOf(node,style,ground){const{element}=node;const{position}=style;
const outer=position==="static"||position==="relative"?ground.clip:outerClip(node,position);if(outer===NOWHERE||isClippedToNothing(
style,()=>boxOf(element),MIN_SIZE))return NOWHERE;const{overflowX}=style;if(overflowX==="visible"&&style.overflowY==="vi\
sible")return outer;const top=topOf(document);if(element===top||element===bodyOf(document)&&getComputedStyle(top).overflowY===
"visible")return outer;if(node.display==="inline")return outer;const box=boxOf(element);if(!isWithin(box,outer))return NOWHERE;
const isScroller2=[overflowX,style.overflowY].some(overflow=>overflow==="auto"||overflow==="scroll");return isScroller2?
scrollArea(element,box,style):intersection(box,outer)}function outerClip(node,position){if(position==="fixed")return{left:0,
top:0,right:innerWidth,bottom:innerHeight};let holder=node.parent;if(position==="absolute")while(holder&&!isPositioned(holder))
holder=holder.parent;return holder?groundOf(holder).clip:pageArea()}function isPositioned({element}){const style=getComputedStyle(
element);return style.position!=="static"||style.transform!=="none"}function pageArea(){const top=scrollerOf(document)??
topOf(document);if(!top)return EVERYWHERE;const width=scrollWidthOf(top);const left=getComputedStyle(top).direction==="r\
tl"?clientWidthOf(top)-width-scrollX:-scrollX;return{left,top:-scrollY,right:left+width,bottom:scrollHeightOf(top)-scrollY}}
function scrollArea(element,box,style){const width=scrollWidthOf(element);const left=box.left-element.scrollLeft-(style.
direction==="rtl"?width-clientWidthOf(element):0);const top=box.top-element.scrollTop;return{left,top,right:left+Math.max(
width,box.width),bottom:top+Math.max(scrollHeightOf(element),box.height)}}function intersection(one,other){return{left:Math.
max(one.left,other.left),top:Math.max(one.top,other.top),right:Math.min(one.right,other.right),bottom:Math.min(one.bottom,
other.bottom)}}function isWithin(box,clip){const width=Math.min(box.right,clip.right)-Math.max(box.left,clip.left);const height=Math.
min(box.bottom,clip.bottom)-Math.max(box.top,clip.top);return width>=MIN_SIZE&&height>=MIN_SIZE}var SCROLLED=new Set(["auto","scroll","hidden"]);var NOWHERE2={left:0,top:0,right:-1,bottom:-1};function isOutOfReach({element,
box,tag}){if(box.right>0&&box.bottom>0&&box.left<innerWidth&&box.top<innerHeight)return false;if(tag==="area"||overlaps(
box,areaAround(element)))return false;if(tag==="input"&&element.type==="file")return false;const isForKeyboard=FIELD_TAGS.
has(tag)||isEdited(element)||tag==="a"&&Boolean(element.hash);const holder=isForKeyboard?flatTreeParentOf(element):null;
return holder===null||!overlaps(boxOf(holder),areaAround(holder))}function areaAround(element){return getOrCompute(memo.
reach,element,computeAreaAround)}function computeAreaAround(element){let holder=flatTreeParentOf(element);const{position}=getComputedStyle(
element);if(position==="fixed"||position==="absolute")while(holder&&!isContaining(holder,position))holder=flatTreeParentOf(
holder);if(holder)return getOrCompute(memo.content,holder,contentArea);return position==="fixed"?{left:0,top:0,right:innerWidth,
bottom:innerHeight}:pageArea()}function isContaining(element,position){const style=getComputedStyle(element);return position===
"absolute"&&style.position!=="static"||style.transform!=="none"||style.filter!=="none"}function contentArea(element){const body=bodyOf(
document);if(element===body&&getComputedStyle(body).position==="fixed")return EVERYWHERE;if(element===body||element===topOf(
document))return pageArea();const area=areaAround(element);const style=getComputedStyle(element);if(style.overflowX==="v\
isible"||![style.overflowX,style.overflowY].some(overflow=>SCROLLED.has(overflow)))return area;const box=boxOf(element);
return overlaps(box,area)?scrollArea(element,box,style):NOWHERE2}function overlaps(box,area){const isAcross=box.left<area.
right&&(box.right>area.left||box.left>=area.left);return isAcross&&box.top<area.bottom&&(box.bottom>area.top||box.top>=area.
top)}var PLAIN_TAGS=new Set("article aside b br circle code dd defs div dl dt em figure footer g header i li line main nav ol\
 p path polygon polyline rect section small span strong tbody thead tr ul use".split(" "));function scan(isReading=false,isWhole2=false){
const result={found:[],ids:new Map,testIds:new Map,texts:new Map,byRole:new Map,names:new Map,bodies:0,modals:[],slots:new Map,
depth:0,hasTooDeep:false,stream:isReading?[]:null,drawer:null,slotStreams:new Map,hasInert:false,front:null,behind:null};
startIndexes(result.texts,result.testIds);listenIn(document);const top=topOf(document);if(top)visit(result,top,{flags:0,
modal:null,claim:null,labelled:null});delegateDocument(result);dropNested(result.found);forgetListeners();const modal=topmost(
result.modals);const layers=modal?null:layersOverAll();result.front=modal?[modal]:layers&&[...layers];const isBlocked=found=>modal!==
null&&found.modal!==modal&&!isWithinElement(found.modal,modal);const isThere=found=>!found.isDropped&&!isReplaced(found.
element)&&!isOutOfReach(found);const all=result.found.filter(isThere);const left=isWhole2?all:all.filter(found=>!isBlocked(
found));result.found=layers&&!isWhole2?uncovered(left,layers):left;result.behind=result.found.length<all.length?new Set(
all.map(({element})=>element)):null;return result}function isTooDeep(result){if(result.depth<=MAX_DEPTH)return false;result.
hasTooDeep=true;return true}function visit(result,element,place){const tag=tagOf(element);const isBare=!hasAttributes(element);
if(!isBare||tag==="body"||tag==="label")countIdentifiers(result,element,tag);if(tag==="head")for(const child of element.
children)countIdentifiers(result,child,tagOf(child));if(tag==="head"||UNRENDERED_TAGS.has(tag)||isTooDeep(result))return"";
const position=result.found.length;const{drawer,stream}=result;const inner2=place.flags&HIDDEN?place:classify(result,element,
tag,isBare,place);if(tag==="slot")result.slots.set(element,inner2);result.depth++;if(tag==="option"||isPartOfSelect(element,
tag))result.stream=null;const{text,share}=read(result,element,tag,inner2);result.depth--;result.stream=stream;result.drawer=
drawer;const own=share===OWN&&text?text.trim():null;if(own)increment(result.texts,own);const found=result.found[position];
if(found?.element!==element)return text;if(secrets.has(element))return null;found.text=own;found.content=text===null?null:
text.trim();if(tag==="li"&&found.isClickable&&!found.isControl&&addNested2(result,position))return text;if(listeners.has(
element))delegate(result,position);return text}var EMPTY=0;var BORROWED=1;var OWN=2;function read(result,element,tag,place){
if(tag==="input"&&PUSH_TYPES.has(element.type)){return{text:secrets.has(element)?"":collapseInnerSpaces(element.value),share:OWN}}
const shadow=shadowOf(element);if(!shadow)return readNodes(result,element,place);listenIn(shadow);rememberShadow(shadow);
const shaded=readNodes(result,shadow,place).text;const{text,share}=readNodes(result,element,place,result.slots);const isShaded=shaded===
null||shaded.trim()!=="";return{text:joined(text,shaded),share:!isShaded?share:share===EMPTY?BORROWED:OWN}}function readNodes(result,parent,place,slots){
let text="";let share=EMPTY;const{stream,drawer}=result;for(let child=firstOf(parent);child;child=nextOf(child)){const kind=kindOf(
child);if(kind!==TEXT&&kind!==ELEMENT)continue;if(slots&&stream)enter(result,kind===TEXT?textSlotOf(child):slotOf(child));
const piece=kind===TEXT?collapseInnerSpaces(dataOf(child)):visit(result,child,slots?.get(slotOf(child))??place);if(kind===
TEXT&&stream&&!(place.flags&HIDDEN))addText(result,child,piece);if(piece===null||piece.trim())share=kind===TEXT||share!==
EMPTY?OWN:BORROWED;text=joined(text,piece)}result.stream=stream;result.drawer=drawer;return{text,share}}function enter(result,slot){
const{stream,drawer}=(slot&&result.slotStreams.get(slot))??{stream:[],drawer:null};result.stream=stream;result.drawer=drawer}
function addText({stream,drawer},text,data){if(!stream||!data)return;if(data===" "||!data.trim())stream.push(SPACE);else if(drawer)
stream.push({text,data,parent:drawer,isApart:false})}function collect(result,node){result.stream?.push(node);result.drawer=
node;if(node.tag!=="slot")return;const stream=[];result.stream?.push(stream);result.slotStreams.set(node.element,{stream,
drawer:node})}function joined(text,more){if(text===null||more===null)return null;const both=text.endsWith(" ")&&more.startsWith(
" ")?text+more.slice(1):text+more;return both.length>MAX_TEXT+2?null:both}function countIdentifiers(result,element,tag){
const id=attributeOf(element,"id");const testId=attributeOf(element,"data-testid");if(id)increment(result.ids,id);if(testId)
increment(result.testIds,testId);if(tag==="body")result.bodies++;if(tag==="input"&&isMarkedSecret(element))secrets.add(element);
if(tag==="label"&&element.control&&labelIndex)addToList(labelIndex,element.control,element)}function classify(result,element,tag,isBare,place){
const style=place.flags&CLAIMED?null:getComputedStyle(element);const display=style?style.display:null;if((display==="non\
e"||display==="")&&tag!=="area")return{...place,flags:place.flags|HIDDEN};if(result.stream)collect(result,newFlatElement(
element,tag,isBare,display??"",result.drawer));const around2=isBare?place:placeIn(result,element,tag,place);const inner2=!isBare&&
style&&clipsContent(element,style)?{...around2,flags:around2.flags|CLIPPED}:around2;const isDull=isBare&&PLAIN_TAGS.has(
tag);const role=isDull?null:roleOf(element);if(role!==null&&SELECTOR_ROLES.has(role)&&!(inner2.flags&ARIA_HIDDEN)&&isRendered(
element,tag))addToList(result.byRole,role,element);if(inner2.flags&INERT||tag==="html"||tag==="body"&&!isEdited(element))
return inner2;const found=candidate(element,tag,role,style,inner2);if(found&&isAroundField(found,place))return found.isPointer?
{...inner2,flags:inner2.flags|CLAIMED}:inner2;if(found&&isDull)found.role=roleOf(element);if(found&&addFound(result,found,
inner2))return claimed(inner2,found);if(tag!=="label"||!element.control)return inner2;return{...inner2,flags:inner2.flags|
(style?.cursor==="pointer"?CLAIMED:0),labelled:element.control}}function isAroundField({element,isControl,isDraggable,isScrollable},{
labelled:labelled2}){return labelled2!==null&&!isControl&&!isDraggable&&!isScrollable&&contains(element,labelled2)}function placeIn(result,element,tag,place){
const isModal=tag==="dialog"&&matches(element,":modal");const flags=(hasAriaHidden(element)?ARIA_HIDDEN:0)|(hasAttribute(
element,"inert")?INERT:0);if(isModal)result.modals.push(element);if(flags&INERT)result.hasInert=true;return flags||isModal?
{...place,flags:place.flags|flags,modal:isModal?element:place.modal}:place}function claimed(place,found){if(found.isLeaf)
return{...place,flags:place.flags|CLAIMED|SETTLED,claim:found};return found.isPointer?{...place,flags:place.flags|CLAIMED,
claim:found}:place}function addFound(result,found,place){const{box}=found;if(box.width<=0||box.height<=0||!found.isControl&&
box.width<1&&box.height<1)return false;if(found.isHeard&&isFilling(box,place.claim))return false;result.found.push(Object.
assign(found,{isMuted:Boolean(place.flags&ARIA_HIDDEN),modal:place.modal}));return true}function countNamed(result,role,name){
let names=result.names.get(role);if(!names){result.names.set(role,names=new Map);for(const element of result.byRole.get(
role)??[])increment(names,nameOf(element))}return names.get(name)??0}var MAX_KEY=200;function keysOf(look,found,name){const{element,control,role,tag,isMuted:isMuted3}=found;const text=tag===
"select"||tag==="textarea"||isEdited(element)?null:found.text;const testId=attributeOf(element,"data-testid");const id=attributeOf(
element,"id");const isGiven=!memo.namings.get(element)?.isDerived;const isNamed2=element===control&&isGiven&&!isFileField(
element)&&!isMuted3&&isKey2(name)&&!memo.disputed.has(element);return{testId:isKey2(testId)&&look.testIds.get(testId)===
1?testId:void 0,name:isNamed2&&role!==null&&SELECTOR_ROLES.has(role)&&countNamed(look,role,name)===1?name:void 0,id:isSoleId(
id,look)?id:void 0,text:isKey2(text)&&look.texts.get(text)===1?text:void 0}}function isKey2(value){return value!==null&&
value!==""&&value.length<=MAX_KEY&&value.isWellFormed()}function isSoleId(id,look){return isKey2(id)&&id.trim()===id&&look.
ids.get(id)===1}function selectorsFor(look,found,keys2,isAll){const text=keys2.text&&(keys2.text===keys2.name?true:keys2.
text);const selectors=[keys2.testId||0,keys2.name?true:0,keys2.id?idSelector(keys2.id):0,text||0];const best=selectors.findIndex(
Boolean);if(best>=0&&!isAll)return selectors.slice(0,best+1);return[...selectors,pathTo(found.element,look)]}function idSelector(id){
return`#${CSS.escape(id)}`}function pathTo(element,look){const holder=parentOrHostOf(element);if(holder===null)return":r\
oot";const path=getOrCompute(memo.paths,holder,it=>anchorOf(it,look)??pathTo(it,look));return`${path} > ${stepTo(element)}`}
function idOrPath(element){const id=attributeOf(element,"id");if(id&&rootOf(element)===document&&queryRoot(document,idSelector(
id)).length===1)return idSelector(id);return pathTo(element,null)}function anchorOf(element,look){if(look===null)return null;
if(element===bodyOf(document)&&look.bodies===1)return"body";const id=attributeOf(element,"id");return isSoleId(id,look)?
idSelector(id):null}function stepTo(element){const parent=parentOf(element);const tag=CSS.escape(tagOf(element));const{position,
isOnly}=siblingsIn(parent).get(element);if(kindOf(parent)===FRAGMENT)return`${tag}:nth-child(${position} of :host > *)`;
if(kindOf(parent)===ELEMENT&&shadowOf(parent))return`${tag}:nth-child(${position} of :not(:host > *))`;return isOnly?tag:
`${tag}:nth-child(${position})`}function siblingsIn(parent){return getOrCompute(memo.siblings,parent,countSiblings)}function countSiblings(parent){
const places=new Map;const firsts=new Map;for(let child=firstOf(parent);child;child=nextOf(child)){if(kindOf(child)!==ELEMENT)
continue;const first=firsts.get(tagOf(child));const place={position:places.size+1,isOnly:!first};if(first)first.isOnly=false;else
firsts.set(tagOf(child),place);places.set(child,place)}return places}var childNodesOf=reader(Node,"childNodes");var written=null;function moveCaretToEnd(){getSelection()?.modify("move","for\
ward","documentboundary")}function selectAll(control){if(!isEdited(control)){control.select();control.focus();return}let host=control;
for(let outer=parentOrHostOf(host);outer&&isEdited(outer);outer=parentOrHostOf(host))host=outer;host.focus();const range=new Range;
range.selectNodeContents(control);getSelection()?.removeAllRanges();getSelection()?.addRange(range)}function noteCaret(){
const node=getSelection()?.anchorNode;written=node?new WeakRef(node):null}function hasLostCaret(){const node=written?.deref();
if(!node||isConnected(node))return false;const selection=getSelection();const anchor=selection?.isCollapsed?selection.anchorNode:
null;if(!anchor)return false;const isText=kindOf(anchor)===TEXT;const after2=isText?selection.anchorOffset===0&&anchor:childNodesOf(
anchor)[selection.anchorOffset];return Boolean(after2&&textContentOf(after2))}var MAX_CHARS=200;var interim=new WeakSet;function noteInterimWords({type,target:target2,oldValue,addedNodes,removedNodes}){
if(type==="attributes")return;const element=kindOf(target2)===ELEMENT?target2:parentOf(target2);if(!element)return;const before2=type===
"characterData"?oldValue:replacedText(addedNodes,removedNodes);if(!before2||before2.length>MAX_CHARS)return;const now=type===
"characterData"?target2.data:textContentOf(element);const words=collapseSpaces(before2);if(words&&now.length<=MAX_CHARS&&
words!==collapseSpaces(now))interim.add(element)}function replacedText(added2,removed){if(!removed.length||[...added2,...removed].
some(node=>kindOf(node)!==TEXT))return"";return[...removed].map(node=>node.nodeValue??"").join("")}function hadOtherWords(element){
return interim.has(element)}function forgetInterimWords(){interim=new WeakSet}var WATCHED={childList:true,subtree:true,characterData:true,characterDataOldValue:true,attributes:true};var MAX_RECORDS=500;
var STEADY_CHANGES=4;var STEADY_MS=250;var STEADY_FRAMES=15;var MAX_FRAME_MS=100;var RESET_MS=3e3;var BATCH_MS=5;var KEPT_MS=3e3;
var rhythms=new WeakMap;var observer=new MutationObserver(note2);var isObserving=false;var hasChanged=false;var timer;var lastFrameMs=0;
var isScrolled=false;function noteScroll(){isScrolled=true}function takeScroll(){const was=isScrolled;isScrolled=false;return was}
function noteFrame(ms){lastFrameMs=Math.min(ms,MAX_FRAME_MS)}function frameMs(){return lastFrameMs}function observeChanges(){
clearTimeout(timer);timer=setTimeout(stop,KEPT_MS);if(!isObserving)observer.observe(document,WATCHED);isObserving=true;for(const shadow of rememberedShadows())
observer.observe(shadow,WATCHED)}function observeShadowsIn(added2){for(const node of added2){if(!isElement(node))continue;
for(const element of[node,...queryAll(node,"*")].slice(0,MAX_RECORDS)){const shadow=shadowOf(element);if(!shadow)continue;
rememberShadow(shadow);observer.observe(shadow,WATCHED);observeShadowsIn(shadow.children)}}}function stop(){isObserving=
false;observer.disconnect()}function takeChanges(){note2(observer.takeRecords());const changed=hasChanged;hasChanged=false;
return changed}function note2(records){const now=performance.now();const regions=new Set;for(let i=0;i<records.length&&i<
MAX_RECORDS;i++){regions.add(regionOf(records[i]));noteInterimWords(records[i]);if(records[i].addedNodes.length&&isObserving)
observeShadowsIn(records[i].addedNodes)}for(const region of regions)if(!isRestless(region,now))hasChanged=true}function regionOf({
target:target2}){return target2.nodeType===Node.ELEMENT_NODE?target2:target2.parentNode??target2}function isRestless(region,now){
const known3=rhythms.get(region);if(!known3||now-known3.last>RESET_MS){rhythms.set(region,{first:now,last:now,count:1});
return false}if(now-known3.last>=BATCH_MS)known3.count+=1;known3.last=now;return known3.count>=STEADY_CHANGES&&known3.last-
known3.first>=Math.max(STEADY_MS,STEADY_FRAMES*lastFrameMs)}var owners=new Map;function registerFrame(name,element){owners.set(name,new WeakRef(element));return frameGeometries([name])}
function frameGeometries(names){clearMemo();return geometriesOf(names)}function geometriesOf(names){const known3=names.flatMap(
name=>{const owner=owners.get(name)?.deref();return owner?[{name,owner}]:[]});const top=topOf(document);const modal=known3.
length&&top?topmost([...queryAll(top,"dialog:modal")]):null;return Object.fromEntries(known3.map(({name,owner})=>[name,isOpen(
owner,modal)?geometryOf(owner):null]))}function isOpen(owner,modal){const box=boxOf(owner);if(!isConnected(owner)||!isShown(
owner)||box.width<=0||box.height<=0)return false;if(isOutOfReach({element:owner,box,tag:tagOf(owner)}))return false;if(modal&&
!isWithinElement(owner,modal))return false;for(let node=owner;node;node=flatTreeParentOf(node))if(hasAttribute(node,"ine\
rt"))return false;return!isBehindModal(owner)}function geometryOf(owner){const box=boxOf(owner);const style=getComputedStyle(
owner);const pixels=length=>Number.parseFloat(length)||0;const[scaleX,scaleY]=[box.width/owner.offsetWidth||1,box.height/
owner.offsetHeight||1];const[left,top]=[owner.clientLeft+pixels(style.paddingLeft),owner.clientTop+pixels(style.paddingTop)];
return{x:box.x+left*scaleX,y:box.y+top*scaleY,scaleX,scaleY,isUpright:isUpright(owner),width:owner.clientWidth-pixels(style.
paddingLeft)-pixels(style.paddingRight),height:owner.clientHeight-pixels(style.paddingTop)-pixels(style.paddingBottom)}}
function isUpright(element){for(let node=element;node;node=parentOrHostOf(node)){const{transform,rotate}=getComputedStyle(
node);if(rotate!=="none")return false;if(transform==="none")continue;const matrix=new DOMMatrixReadOnly(transform);if(!matrix.
is2D||matrix.b!==0||matrix.c!==0||matrix.a<=0||matrix.d<=0)return false}return true}var FRAME_MS=100;var MAX_DISTANCE=2;var BEHIND_TIMERS_MS=20;var EDGE=.2;var STEADY_PROPERTIES=/^(offset|computedOffset|easing|composite|opacity|color|fill|stroke|filter|backdropFilter|boxShadow|textShadow|accentColor|caretColor|background\w*|outline\w*|border\w*Color|textDecoration\w*|cursor|visibility)$/;
var ON_TOP=/^(transform|translate|scale|rotate|clipPath)$/;var BOX_LEVELS=6;var HIGHEST_BOX=120;var ENTRY="input:not([ty\
pe=checkbox], [type=radio], [type=file], [type=range], [type=hidden]), textarea, [role=combobox]";var FIELDS5="input:not\
([type=hidden]), select, textarea, [contenteditable], [role=combobox], [role=textbox], [role=slider], [role=switch]";var SPARE="\
[aria-hidden=true][tabindex='-1']";var OWN_PRESS="a, button, label, summary, [contenteditable], [onclick], [onmousedown]\
, [onpointerdown], [tabindex], [role=button], [role=option]";var OWN_DRAG="button, a, input, textarea, select, summary, \
[contenteditable], [role=button], [role=link], [role=checkbox]";var PART="th, td, tr, li, [role=columnheader], [role=row\
header], [role=gridcell], [role=cell], [role=row], [role=listitem], [role=treeitem]";var BUTTON_OR_LINK="button, [role=b\
utton], a, [role=link]";var FRAMES="iframe, frame, object, embed";var FEWEST_ITEMS=3;var animationsInShadow=caller(ShadowRoot,
"getAnimations");function targetOf(element){const isField5=matches(element,"input, textarea, select")||isEdited(element);
const button=isField5?element:closest(element,BUTTON_OR_LINK)??element;const control=labelledControl(element);const accepted=new Set(
[element,button,control,...labelElementsOf(control)]);const host=pressedHostOf(element);return{element,control,accepted:host?
accepted.add(host):accepted}}function isHit(target2,hit){for(let node=hit;node;node=flatTreeParentOf(node))if(target2.accepted.
has(node))return true;return false}function isFrameWithin({element},hit){return hit!==element&&matches(hit,FRAMES)&&isWithinElement(
hit,element)}function isFramed2(target2){if(!queryAll(target2.element,FRAMES).length)return false;const point=pointOf(target2.
element,null);const hit=point&&hitAt(...point);return Boolean(hit&&isFrameWithin(target2,hit))}function isLockedAway(target2){
const owner=pointerLock();return owner!==null&&!isHit(target2,owner)}function isOwnDrawing({element,accepted},hit){if(!hit||
!matches(element,ENTRY))return false;const isAlone3=node=>[...queryAll(node,FIELDS5)].every(field=>field===element||isWithinElement(
element,field)||matches(field,SPARE)||!isShown(field));let holder=flatTreeParentOf(element);let levels=BOX_LEVELS;while(holder&&
levels-- >0&&isAlone3(holder)&&!isWithinElement(hit,holder))holder=flatTreeParentOf(holder);if(!holder||levels<0||!isAlone3(
holder)||!isWithinElement(hit,holder))return false;for(let node=hit;node!==holder;node=flatTreeParentOf(node))if(matches(
node,OWN_PRESS)||hasGestureListener(node))return false;for(;holder&&levels-->=0&&isAlone3(holder);holder=flatTreeParentOf(
holder)){if(measure(holder).height>Math.max(HIGHEST_BOX,3*measure(element).height))return false;if(hasGestureListener(holder))
return Boolean(accepted.add(hit))}return false}function isUsable({element,control}){return isConnected(element)&&isVisible(
element)&&!isDisabled(element)&&!isDisabled(control)&&!isInert(control)}function isSteady(element){const around2=new Set;
for(let node=element;node;node=flatTreeParentOf(node))around2.add(node);const roots=new Set([...around2].map(node=>rootOf(
node)));return[...roots].every(root2=>!animationsIn(root2).some(animation=>isMoving(animation,around2)))}function animationsIn(root2){
if(root2===document)return animationsInDocument(root2);return kindOf(root2)===FRAGMENT?animationsInShadow(root2):[]}function isMoving({
playState,effect,timeline},around2){if(playState!=="running"||!around2.has(effect?.target)||!(timeline instanceof DocumentTimeline))
return false;const isHarmless=name=>STEADY_PROPERTIES.test(name)||effect.pseudoElement&&ON_TOP.test(name);return effect.
getKeyframes().some(frame=>!Object.keys(frame).every(isHarmless))}function pointOf(element,position){if(position){const box=measure(
element);return[box.left+element.clientLeft+position.x,box.top+element.clientTop+position.y]}return middleOfFirst(element,
piecesOf(element))}function middleOfFirst(element,pieces){for(const piece of pieces){const[left,right]=[Math.max(piece.left,
0),Math.min(piece.right,innerWidth)];const[top,bottom]=[Math.max(piece.top,0),Math.min(piece.bottom,innerHeight)];if(right<=
left||bottom<=top||(right-left)*(bottom-top)<=.99)continue;const part={left,top,right,bottom};const isArea=tagOf(element)===
"area";return isArea&&pointsOf(part).find(point=>hitAt(...point)===element)||middleOf(part)}return null}function piecesOf(element){
if(tagOf(element)==="area"){const image=imageOf(element);return image?[areaBox(element,image)]:[]}const[text]=tagOf(element)===
"li"&&isFilledByList(element)?ownTextNodes(element):[];if(!text)return rectanglesOf(element);const range=new Range;range.
selectNodeContents(text);return range.getClientRects()}function hitPointOf(target2,position,isStill){const point=uncoveredPoint(
target2,position);if(point||isStill)return point;const shown=tagOf(target2.element)==="area"?imageOf(target2.element):target2.
element;scrollIntoView(shown,{block:"center",inline:"center",behavior:"instant"});return uncoveredPoint(target2,position)}
function uncoveredPoint(target2,position){const point=!position&&pointBesideControls(target2)||pointOf(target2.element,position);
const hit=point&&hitAt(...point);return hit&&!isFrameWithin(target2,hit)&&(isHit(target2,hit)||isOwnDrawing(target2,hit))?
point:null}function pointBesideControls({element,control}){const middle=isEdited(element)?null:pointOf(element,null);const taker=middle&&
controlAt(element,middle);if(!taker||taker===control)return null;if(matches(element,PART))return hasOtherWords(taker,element)?
pointOnWords(element):null;if(!matches(taker,BUTTON_OR_LINK))return null;if(tagOf(element)!=="label")return isInline(element)?
middleOfFirst(element,innerBoxesOf(element)):null;const own=isWithinElement(control,element)?pointOf(control,null):null;
return own&&isWithinElement(hitAt(...own),control)?own:pointOnWords(element)}function hasOtherWords(control,element){return collapseSpaces(
textContentOf(control))!==collapseSpaces(textContentOf(element))}function pointOnWords(element){const walker=walkerOf(document,
element,NodeFilter.SHOW_TEXT);while(walker.nextNode()){const range=new Range;range.selectNodeContents(walker.currentNode);
const[box]=range.getClientRects();const point=box&&box.width>1?middleOf(box):null;if(point&&isWithinElement(hitAt(...point),
element)&&!controlAt(element,point))return point}return null}function controlAt(element,point){const pressed=pressedAt(element,
point);return pressed===element?null:pressed}function pressedAt(element,point){let hit=hitAt(...point);while(hit&&hit!==
element&&!matches(hit,OWN_DRAG))hit=flatTreeParentOf(hit);return hit}function throughFrame(point,owner){clearMemo();if(!isShown(
owner)||!isSteady(owner)||isDisabled(owner))return null;const locatePoint=()=>{memo.boxes.clear();const geometry=geometryOf(
owner);const[x,y]=[geometry.x+point.x,geometry.y+point.y];return geometry.isUpright&&geometry.scaleX===1&&geometry.scaleY===
1&&hitAt(x,y)===owner?{x,y}:null};const found=locatePoint();if(found)return found;scrollIntoView(owner,{block:"center",inline:"\
center",behavior:"instant"});return locatePoint()}function later(done,ms=0){const{scheduler}=self;setTimeout(done,ms);scheduler?.
postTask(done,{delay:ms+BEHIND_TIMERS_MS})}function nextTask(done){later(done)}function nextFrame(done){requestAnimationFrame(
()=>later(done));setTimeout(done,FRAME_MS)}function isNear({clientX,clientY},x,y){return Math.abs(clientX-x)<=MAX_DISTANCE&&
Math.abs(clientY-y)<=MAX_DISTANCE}function leaveEdges(element){const box=measure(element);const place=(box.top+box.height/
2)/innerHeight;if(place<EDGE||place>1-EDGE)scrollIntoView(element,{block:"center",inline:"nearest",behavior:"instant"});
return true}function gripOf(element){const middle=pointOf(element,null);if(!middle||pressedAt(element,middle)===element)
return null;const box=measure(element);const free=pointsOf(box).find(point=>pressedAt(element,point)===element);return free?
{x:free[0]-box.left-element.clientLeft,y:free[1]-box.top-element.clientTop}:null}function isItem2(element){const{position}=getComputedStyle(
element);if(position==="absolute"||position==="fixed")return false;const siblings=childElementsOf(parentOrHostOf(element)??
element).filter(one=>tagOf(one)===tagOf(element));return siblings.length>=FEWEST_ITEMS}var MOST=16;var held=new Map;function hold(name){const take3=event=>{event.stopImmediatePropagation();held.set(name,event.
composedPath()[0]);if(held.size>MOST)held.delete(held.keys().next().value)};addEventListener(name,take3,{capture:true,once:true});
return{}}function subject(name){return name?held.get(name)??null:document}var CENTS=/^\d\d$/;var RAISED=/^\d{1,2}$/;var SMALL=.85;var CURRENCY=/\p{Sc}|(?<!\p{L})(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|kr|zł|Kč|Ft|lei)(?!\p{L})/u;
var LEVELS2=3;var MAX_PRICE=60;function areCents(element,text,before2){return CENTS.test(text)&&/\d\s*$/.test(before2)&&
(closest(element,"sup")!==null||isSmaller(element))}function markBefore(element,text,before2){if(!RAISED.test(text)||!/\d$/.
test(before2))return"";if(areCents(element,text,before2)&&isInPrice(element))return/\.\d{3}$/.test(before2)?",":".";return closest(
element,"sup")===null?"":"^"}function isSmaller(element){const before2=previousOf(element);const isOfParent=!before2||kindOf(
before2)===TEXT&&dataOf(before2).trim()!=="";const larger=isOfParent?parentOf(element):before2;return larger instanceof Element&&
sizeOf(element)<=SMALL*sizeOf(larger)}function sizeOf(element){return parseFloat(getComputedStyle(element).fontSize)}function isInPrice(element){
for(let around2=parentOf(element),level=0;around2&&level<LEVELS2;around2=parentOf(around2),level++){const text=textContentOf(
around2);if(text.length>MAX_PRICE)return false;if(CURRENCY.test(text))return true}return false}var MAX_CHARS2=40;var MIN_OPACITY=.05;var MIN_FONT=1;var MAX_SHIFT=100;var ICONS=/[\ue000-\uf8ff]/g;function withGenerated({
text,data,parent}){const before2=isAtEdge(text,previousOf)?generated(parent,"::before"):"";const after2=isAtEdge(text,nextOf)?
generated(parent,"::after"):"";return before2||after2?`${before2}${data}${after2}`.replace(/ {2,}/g," "):data}function isAtEdge(text,step){
for(let node=step(text);node;node=step(node)){if(kindOf(node)===ELEMENT||kindOf(node)===TEXT&&dataOf(node).trim())return false}
return true}function generated(parent,pseudo){const words=pseudoElementText(parent.element,pseudo).replace(ICONS,"");if(!words.
trim()||words.length>MAX_CHARS2)return"";const style=getComputedStyle(parent.element,pseudo);const{opacity,color}=groundOf(
parent);if(!isInPlace(style)||style.opacity*opacity<MIN_OPACITY||parseFloat(style.fontSize)<MIN_FONT)return"";return hasContrast(
colorOf(style.webkitTextFillColor),blend(colorOf(style.backgroundColor),color))?words:""}function isInPlace({position,float,
transform,clipPath,filter,overflowX,textIndent,marginLeft,marginTop}){const isNear2=[textIndent,marginLeft,marginTop].every(
length=>Math.abs(parseFloat(length))<MAX_SHIFT);const isWhole2=transform==="none"&&clipPath==="none"&&filter==="none"&&overflowX===
"visible";return position==="static"&&float==="none"&&isNear2&&isWhole2}var MIN_OPACITY2=.05;var MIN_FONT2=1;var MAX_INDENT=100;var MAX_SQUEEZE=.4;var MIN_TABLE=32;var CELLS2="td, th, [role=ce\
ll], [role=gridcell], [role=columnheader], [role=rowheader]";var OPAQUE_TAGS=new Set("audio canvas datalist desc embed i\
frame input meter metadata object option optgroup progress select textarea title video".split(" "));function isReadable2(node,text){
node.isReadable??=computeReadable(node);return node.isReadable&&(!text||displayOf(node)!=="contents"||isWithin(contentBoxOf(
text),groundOf(node).clip))}function computeReadable(node){const{element,tag,canvas:canvas2}=node;if(OPAQUE_TAGS.has(tag)||
tag==="details"&&isFolded(element))return false;if(canvas2)return isCell2(element,canvas2.element)&&isLargePicture(canvas2);
const style=getComputedStyle(element);const isBoxless2=displayOf(node)==="contents";if(isBoxless2?style.visibility!=="vi\
sible"||isSkipped(node):!isShown(element))return false;const font=parseFloat(style.fontSize);if(style.contentVisibility===
"hidden"||font<MIN_FONT2||textSecurityIn(style)!=="none")return false;if(parseFloat(style.letterSpacing)<-font*MAX_SQUEEZE)
return false;const ground=groundOf(node,style);if(ground.opacity<MIN_OPACITY2||isEdited(element)&&isInSecretEditor(element))
return false;return(isBoxless2||isPlaced(element,style,ground.clip))&&!isColorless(element,style,ground.color)}function isCell2(element,canvas2){
const cell=closest(element,CELLS2);return cell!==null&&canvas2.contains(cell)&&getComputedStyle(element).visibility==="v\
isible"}function isLargePicture(node){const{clip,opacity}=groundOf(node);const box=boxOf(node.element);return isShown(node.
element)&&opacity>=MIN_OPACITY2&&Math.min(box.width,box.height)>=MIN_TABLE&&isWithin(box,clip)}function isSkipped({parent}){
let around2=parent;while(around2&&displayOf(around2)==="contents")around2=around2.parent;return around2!==null&&!checkVisibility(
around2.element)}function isInSecretEditor(element){for(let node=element;node&&isEdited(node);node=flatTreeParentOf(node))
if(isSecret(node))return true;return false}function isPlaced(element,style,clip){if(clip.right===clip.left)return false;
if(isWithin(boxOf(element),clip)&&Math.abs(parseFloat(style.textIndent))<MAX_INDENT)return true;return isWithin(contentBoxOf(
element),clip)}var MIN_IMAGE=8;var LABEL_LEVELS=6;var IMAGES=new Set(["img","canvas","svg","progress","meter"]);var IMAGE_ROLES=new Set(
["img","meter","progressbar"]);function itemsOf2(look){const known3=new Map(look.found.map(found=>[found.element,found]));
const controls=new Map(look.found.map(found=>[found.control,found]));for(const found of look.found){const{host}=rootOf(found.
control);for(const other of[host,...referenced(found.control,"aria-labelledby")]){if(other&&!controls.has(other))controls.
set(other,found)}}const items=[];const byFound=new Map;let isApart=true;let root2=null;for(const drawn of flat(look.stream??
[])){if(drawn===SPACE){isApart=true;continue}if(drawn.tag){if(drawn.tag==="br"||drawn.display&&!isInline2(drawn.display))
isApart=true;const found=known3.get(drawn.element);drawn.holder=found??drawn.parent?.holder??null;const item=found?foundItem(
found,drawn):imageItem(drawn);if(!item)continue;if(found)byFound.set(found,item);if(found?.role==="img"&&isImageAround(items.
at(-1),drawn,found))items.pop();items.push(item);isApart=true;continue}const{data,parent}=drawn;const boxRoot=boxRootOf(
parent);isApart||=boxRoot!==root2||data.startsWith(" ");root2=boxRoot;const within2=labelled(parent,controls)??parent.holder;
if(within2&&isIconFont(parent.element))continue;const outer=within2?.isLeaf&&byFound.get(within2);if(outer){drawn.isApart=
isApart;outer.inner+=wordsOf(drawn);(outer.texts??=[]).push(drawn)}else{if(!isReadable2(parent,drawn.text))continue;const text=withGenerated(
drawn).trim();const mark=isApart?"":markBefore(parent.element,text,items.at(-1)?.text??"");items.push(newItem({block:blockOf(
parent),node:parent,textNode:drawn.text,text:mark+text,within:within2,isApart}))}isApart=data.endsWith(" ")}return items}
function newItem({block,node,textNode=null,text="",found=null,within:within2=null,image=null,value,isApart=true}){return{
block,node,textNode,text,found,within:within2,inner:"",texts:null,image,value,isChunk:false,isApart}}function flat(stream){
return stream.some(Array.isArray)?stream.flat(Infinity):stream}function wordsOf({data,isApart}){return isApart?` ${data.
trim()}`:data.trim()}function readableWords({texts}){return(texts??[]).filter(({parent,text})=>isReadable2(parent,text)).
map(wordsOf).join("").trim()}function foundItem(found,node){const isOwnBlock=!found.isLeaf||found.text===null&&!isInline2(
displayOf(node));return newItem({block:blockOf(isOwnBlock?node:node.parent??node),node,found})}function imageItem(node){
const{element,tag,isBare,parent,holder}=node;if(!IMAGES.has(tag)&&(isBare||!hasAttribute(element,"role")))return null;if(holder?.
isLeaf)return null;const role=tag==="canvas"?"img":roleOf(element);if(role===null||!IMAGE_ROLES.has(role)||!isShown(element)||
!isReadable2(parent??node))return null;const box=boxOf(element);const text=tag==="canvas"&&!hasAttribute(element,"role")?
attributeOf(element,"aria-label")??"":nameOf(element);const value=role==="img"?void 0:valueOf(element,role);if(role==="i\
mg"&&holder?.content===""&&nameFor(holder)===text)return null;if(role==="img"&&tag!=="img"&&tag!=="canvas"&&isMuted2(node))
return null;if(!text&&value===void 0||box.width<MIN_IMAGE||box.height<MIN_IMAGE)return null;return newItem({block:blockOf(
parent??node),node,text,within:holder,image:role,value})}function isMuted2({element,parent}){return hasAriaHidden(element)||
parent!==null&&hasAriaHidden(parent.element)}function isImageAround(item,node,found){return item?.image==="img"&&item.node===
node.parent&&item.text===nameFor(found)}function labelled(parent,controls){let node=parent;for(let i=0;node&&i<LABEL_LEVELS&&
node.element!==parent.holder?.element;node=node.parent,i++){if(node.tag==="label")return controls.get(node.element.control??
node.element)??null}return null}var MAX_ITEMS2=14;var MAX_CHARS3=320;var MAX_ROW_ITEMS=60;var MAX_ROW_CHARS=1200;var MAX_LEVELS3=10;var MAX_LABELLED=3;var MAX_LABELLED_CHARS=160;
var FIELD_ROLES=new Set([...TYPED_IN,"combobox","listbox","slider"]);var BOUNDS2=new Set("aside body details dialog dl f\
ieldset footer form html main nav ol search section table tbody tfoot thead ul menu".split(" "));var BOUND_ROLES=new Set(
"alertdialog complementary contentinfo dialog form grid list listbox main menu menubar navigation radiogroup region rowg\
roup search table tablist tabpanel toolbar tree treegrid".split(" "));var ROW_TAGS=new Set(["tr"]);var ITEM_TAGS2=new Set(
["li","article","dt","dd","figure"]);var ITEM_ROLES=new Set(["listitem","option","treeitem","article","menuitem"]);var HEADING_TAGS=new Set(
["h1","h2","h3","h4","h5","h6"]);var LOOSE=new Set(["p","br","hr","label","option","pre","blockquote",...HEADING_TAGS]);
function findUnits(items){countContents(items);for(const{block}of items)block.line??=unitOf(block)}function countContents(items){
const blocks=new Map;for(const{block,text,inner:inner2,found}of items){let content=blocks.get(block);if(!content)blocks.
set(block,content={items:0,chars:0,headings:0,fields:0,others:0});content.items+=1;content.chars+=text.length+inner2.length+
(found?8:0);content.headings+=Number(HEADING_TAGS.has(block.tag));if(found)content[isField2(found)?"fields":"others"]+=1}
for(const[block,own]of blocks){let node=block;for(let i=0;node&&i<MAX_LEVELS3;i++){const content=node.content??={items:0,
chars:0,headings:0,fields:0,others:0};content.items+=own.items;content.chars+=own.chars;content.headings+=own.headings;content.
fields+=own.fields;content.others+=own.others;node=isBound(node)?null:node.parent}}}function isField2({role,isControl}){
return FIELD_ROLES.has(role??"")||!isControl&&(role===null||role==="generic")}function isLabelled2({items,chars,headings,
fields:fields2,others}){return fields2===1&&others===0&&items<=MAX_LABELLED&&chars<=MAX_LABELLED_CHARS&&headings===0}function isBound(node){
return node.isBound??=BOUNDS2.has(node.tag)||!node.isBare&&BOUND_ROLES.has(attributeOf(node.element,"role")??"")}function unitOf(block){
let best={node:block,shape:shapeOf2(block)};let isFirm=best.shape!==""&&ITEM_TAGS2.has(block.tag);let node=block;for(let i=0;node&&
i<MAX_LEVELS3;i++){const content=node.content;if(!content||content.items>MAX_ROW_ITEMS||content.chars>MAX_ROW_CHARS)break;
const shape=shapeOf2(node);if(shape==="row")return{unit:node.element,shape};const isSmall3=content.items<=MAX_ITEMS2&&content.
chars<=MAX_CHARS3;if(isSmall3&&!isFirm&&node!==block){if(shape==="item")best={node,shape};else if(content.headings===0&&
isLine(node)&&!(best.shape==="item"&&content.fields))best={node,shape:best.shape};else if(isLabelled2(content))best={node,
shape:best.shape};if(shape==="item"&&!isRepeatedBox(node))isFirm=true}if(isBound(node))break;node=node.parent}const{element,
tag}=best.node;return tag==="dd"?{unit:termOf(element),shape:"item"}:{unit:element,shape:best.shape}}function shapeOf2(node){
const{element,tag,isBare}=node;const role=isBare?null:attributeOf(element,"role");if(ROW_TAGS.has(tag)||role==="row")return"\
row";if(ITEM_TAGS2.has(tag)||role&&ITEM_ROLES.has(roleOf(element)??""))return"item";return isRepeatedBox(node)?"item":""}
function isRepeatedBox(node){const{element,tag}=node;if(LOOSE.has(tag)||isBound(node)||ITEM_TAGS2.has(tag)||tag==="td"||
tag==="th")return false;return hasTwinBeside(element)}function isLine(node){const display=isBound(node)?"":displayOf(node);
return(display==="flex"||display==="inline-flex")&&getComputedStyle(node.element).flexDirection.startsWith("row")}function termOf(definition){
let node=definition;while(tagOf(node)==="dd"&&previousElementOf(node))node=previousElementOf(node);return node}var TAGS2=new Set("aside dialog footer form header main nav output search section".split(" "));var REGIONS=new Set("aler\
tdialog banner complementary contentinfo dialog form main navigation region search".split(" "));var LIVE_ROLES=new Map(Object.
entries({alert:"alert",alertdialog:"",log:"status",status:"status",timer:""}));var MAX_NAME2=80;var NONE={role:"",name:"",
element:null,live:"",liveElement:null,isModal:false};function regionOf2(node){return node.region??=computeRegion(node)}function computeRegion({
element,tag,isBare,parent}){let region=parent?regionOf2(parent):NONE;if(!TAGS2.has(tag)&&(isBare||!hasAttribute(element,
"role")&&!hasAttribute(element,"aria-live")))return region;const role=roleOf(element)??"";const live=liveKind(element,role);
if(live!==null)region={...region,live,liveElement:live?element:null};if(!REGIONS.has(role))return region;const isModal=region.
isModal||attributeOf(element,"aria-modal")==="true"||tag==="dialog"&&matches(element,":modal");return{...region,role,name:shorten(
nameOf(element),MAX_NAME2),element,isModal}}function liveKind(element,role){const declared=attributeOf(element,"aria-liv\
e")?.toLowerCase();if(declared==="off")return"";if(declared==="assertive")return"alert";return LIVE_ROLES.get(role)??(declared===
"polite"?"status":null)}var MAX_CHARS4=1200;var MAX_LIVE=600;var MAX_FORM_BLOCKS=25;var MAX_ROWS2=12;var FIELD_ROLES2=new Set([...TYPED_IN,...CHECKABLE,
"combobox","listbox","slider"]);var HEADINGS=["h1","h2","h3","h4","h5","h6"];var RANKS={newLive:0,live:1,focus:2,form:3,
changed:4,heading:5,main:6,repeated:7,navigation:8,footer:9,behind:10};var ids=new WeakMap;var lastId=0;var known2=null;
var knownOpen=new Set;var knownDocument=null;function blocksOf(look,isContinued,maxParts){const items=itemsOf2(look);findUnits(
items);const blocks=[];const counts=new Map;let last=null;for(const item of items.flatMap(chunksOf)){const{unit,shape}=item.
block.line;const isFull=last&&(last.items.length>=maxParts||last.chars+item.text.length>MAX_CHARS4);if(!last||last.unit!==
unit||isFull){const count=counts.get(unit)??0;counts.set(unit,count+1);last=newBlock(unit,shape,item,count);blocks.push(
last)}last.items.push(item);last.isMore&&=item.isChunk===true;last.chars+=item.text.length+item.inner.length+(item.found?
20:0)}for(const block of blocks)findLevel(block);sortRows(blocks);rankBlocks(blocks,look,isContinued);return blocks}function sortRows(blocks){
const numberOf2=({unit})=>Number(attributeOf(unit,"aria-rowindex"));for(let start2=0,end=0;start2<blocks.length;start2=end){
const first=blocks[start2];const list=parentOrHostOf(first.unit);end=start2+1;if(first.kind!=="row"||!numberOf2(first))continue;
const isNext=block=>block?.kind==="row"&&numberOf2(block)>0&&parentOrHostOf(block.unit)===list;while(isNext(blocks[end]))
end++;const rows=blocks.slice(start2,end);if(rows.some((row,i)=>i>0&&numberOf2(row)<numberOf2(rows[i-1]))){blocks.splice(
start2,rows.length,...rows.sort((one,other)=>numberOf2(one)-numberOf2(other)))}}}function chunksOf(item){if(item.text.length<=
MAX_CHARS4)return[item];const pieces=item.text.match(/[^]{1,1000}(?:\s|$)|[^]{1,1000}/gu)??[];return pieces.map((text,i)=>({
...item,text:text.trim(),isApart:i>0||item.isApart,isChunk:i>0}))}function newBlock(unit,shape,item,count){return{id:idOf(
unit,count),kind:shape||"paragraph",level:0,region:regionOf2(item.block),unit,items:[],rank:RANKS.main,isNew:false,isBack:false,
chars:0,isMore:item.isChunk===true}}function idOf(unit,count){let own=ids.get(unit);if(!own)ids.set(unit,own=[]);while(own.
length<=count)own.push(++lastId);return own[count]}function findLevel(block){if(block.kind==="row")return;const level=levelOf2(
block.items[0].block,block.unit);if(!level||!block.items.every(item=>levelOf2(item.block,block.unit)))return;block.level=
level;block.kind="heading"}function levelOf2(block,unit){let node=block;for(let i=0;node&&i<3;node=node.parent,i++){const{
element,tag,isBare}=node;const level=HEADINGS.indexOf(tag)+1;if(level)return level;if(!isBare&&attributeOf(element,"role")===
"heading")return Number(attributeOf(element,"aria-level"))||2;if(element===unit)break}return 0}function rankBlocks(blocks,look,isContinued){
const before2=knownDocument===document?known2:null;const texts=blocks.map(textOf);const live=liveSizes(blocks);const focused=focusedElement();
let forms=0;const rows=new Map;for(const[i,block]of blocks.entries()){block.isNew=before2!==null&&!before2.has(texts[i]);
block.isBack=before2!==null&&!block.isNew&&block.items.some(isBack);const{region}=block;const isLive=region.live!==""&&(live.
get(region.liveElement)??0)<=MAX_LIVE;if(isLive)block.kind=region.live;const fields2=block.items.some(isField3);if(fields2)
forms++;const list=block.kind==="row"||block.kind==="item"?parentOrHostOf(block.unit):null;rows.set(list,(rows.get(list)??
0)+1);const isRepeated=list!==null&&rows.get(list)>MAX_ROWS2;block.rank=rankOf(block,{isRepeated,isLive,isForm:fields2&&
forms<=MAX_FORM_BLOCKS,focused});if(!isLive&&isBehind2(block.items[0].node.element,look))block.rank=RANKS.behind}if(isContinued)
return;forgetInterimWords();if(knownDocument!==document)knownOpen=new Set;const isCovered2=look.front!==null||look.hasInert;
known2=new Set(isCovered2?[...knownOpen,...texts]:texts);if(!isCovered2)knownOpen=known2;knownDocument=document}function isBehind2(element,{
front,hasInert}){return front!==null&&!isInFront(element,front)||hasInert&&isInert(element)}function rankOf(block,{isRepeated,
isLive,isForm,focused}){if(isLive)return block.isNew?RANKS.newLive:RANKS.live;if(block.items.some(({found})=>found&&found.
control===focused))return RANKS.focus;if(isForm&&!isRepeated)return RANKS.form;if(block.isNew||block.isBack)return RANKS.
changed;const{role}=block.region;if(role==="navigation"||role==="banner")return RANKS.navigation;if(role==="contentinfo"||
role==="complementary")return RANKS.footer;if(isRepeated)return RANKS.repeated;return block.kind==="heading"&&block.level<=
3?RANKS.heading:RANKS.main}function isBack({textNode,within:within2,node}){return textNode!==null&&within2===null&&hadOtherWords(
node.element)}function isField3({found}){return found!==null&&(FIELD_ROLES2.has(found.role??"")||found.tag==="button"&&closest(
found.element,"form")!==null)}function liveSizes(blocks){const sizes=new Map;for(const{region,chars}of blocks){if(region.
liveElement)sizes.set(region.liveElement,(sizes.get(region.liveElement)??0)+chars)}return sizes}function textOf({items}){
return items.map(({text,inner:inner2,found,value})=>found?`${found.role}${inner2}`:`${text}${value??""}`).join("\n")}var BRIEF=300;var BRIEF_ROW=600;var NEAR2=40;var ELEMENT_CHARS=24;function choose(blocks,wish,wanted){const open=blocks.
flatMap(block=>openUnit(block,wish,wanted));const isFirst=!wanted.isContinued;const isRanked=isFirst&&wanted.maxChars!==
null;const order2=isFirst?sortedByWorth(open,isRanked):open;const taken=new Map;let[elements,chars,isFull]=[0,0,false];for(const unit of order2){
if(isFirst&&isLeftOut(unit.block,wanted))continue;const fitting=withinElements(unit,isFull?0:wanted.max-elements,wish.listed);
chars+=fitting?sizeOf2(fitting):0;if(wanted.maxChars!==null&&taken.size&&chars>wanted.maxChars)break;if(fitting)taken.set(
unit,fitting);elements+=fitting?elementsIn(fitting,wish.listed).length:0;isFull||=fitting!==unit;if(isFull&&!isRanked)break}
const units=open.flatMap(unit=>taken.get(unit)??[]);const left={elements:0,chars:0};let last=null;for(const unit of open){
const shown=taken.get(unit);if(shown)last=shown;else if(isFirst&&last&&unit.block.rank===RANKS.repeated)last.rows=(last.
rows??0)+1;left.elements+=elementsIn(unit,wish.listed).length-(shown?elementsIn(shown,wish.listed).length:0);left.chars+=
wordsIn(unit.items)-unit.from-(shown?Math.min(wordsIn(shown.items),shown.upto)-shown.from:0)}return{units,found:units.flatMap(
unit=>elementsIn(unit,wish.listed)),left}}function sortedByWorth(units,isRanked){const worth=({block:{rank}})=>isRanked?
rank:Number(rank>RANKS.live);return[...units].sort((one,other)=>worth(one)-worth(other))}function isLeftOut({rank,isMore},{
text}){return text==="brief"&&(rank===RANKS.behind||isMore)}function openUnit(block,{listed:listed3,hidden},wanted){const found=block.
items.flatMap(item=>item.found??[]);const isWanted2=found.some(one=>listed3.has(one));if(!isWanted2&&(wanted.roles!==null||
wanted.isBehindFold||found.some(one=>hidden.has(one))))return[];if(wanted.viewportOnly&&!block.items.some(item=>isInView2(
item,wanted.view)))return[];const[shown,chars]=wanted.delivered[block.id]??[0,0];const words=wordsIn(block.items);const all=block.
items.length;if(shown>=0&&shown<all){const limit=block.kind==="row"?BRIEF_ROW:BRIEF;const isCut=wanted.text==="brief"&&!wanted.
isContinued&&words>limit*1.3;return[{block,items:block.items.slice(shown),to:-1,from:0,upto:isCut?cutNear(block.items,limit):
Infinity}]}if(chars<0||chars>=words)return[];return[{block,items:block.items.filter(item=>!item.found),to:-1,from:chars,
upto:Infinity}]}function cutNear(items,limit){let seen2=0;for(const{text,found}of items){if(found)continue;if(seen2+text.
length>limit){const space=text.lastIndexOf(" ",limit-seen2);return space>0&&limit-seen2-space<NEAR2?seen2+space:limit}seen2+=
text.length}return limit}function withinElements(unit,max,listed3){if(elementsIn(unit,listed3).length<=max)return unit;let[
count,end]=[0,0];for(const{found}of unit.items){if(found&&listed3.has(found)&&++count>max)break;end++}const to=unit.block.
items.length-unit.items.length+end;return max>0&&end>0?{...unit,items:unit.items.slice(0,end),to}:null}function elementsIn({
items},listed3){return items.flatMap(({found})=>found&&listed3.has(found)?[found]:[])}function wordsIn(items){return items.
reduce((total,{text,found})=>total+(found?0:text.length),0)}function sizeOf2({items,from,upto}){const words=Math.min(wordsIn(
items),upto)-from;return items.reduce((total,{found,inner:inner2})=>total+(found?ELEMENT_CHARS+Math.min(inner2.length,200):
0),words)}function isInView2({node},view){const{left,top,right,bottom}=view??{left:0,top:0,right:innerWidth,bottom:innerHeight};
const box=boxOf(node.element);return box.right>left&&box.bottom>top&&box.left<right&&box.top<bottom}var memory=new WeakMap;function looksOf(refs){return getOrCompute(memory,refs,()=>{const none={texts:new Map,shown:new Set,
passed:new Set,messages:new Map};return{now:none,before:none}})}function remember2(refs,now){memory.set(refs,{now,before:looksOf(
refs).now})}function revertBlocks(refs){const{before:before2}=looksOf(refs);memory.set(refs,{now:before2,before:before2})}
function rememberBlocks(refs,blocks,{units}){const shown=new Set(units.map(({block})=>block.id));const passed=new Set(blocks.
filter(({id,rank})=>!shown.has(id)&&rank!==RANKS.behind).map(({id})=>id));remember2(refs,{texts:new Map(blocks.map(block=>[
block.id,textOf(block)])),shown,passed,messages:messagesIn(blocks)})}function messagesIn(blocks){const messages=new Map;
for(const{id,kind,items}of blocks){const node=kind==="alert"||kind==="status"?items.find(item=>item.textNode)?.textNode:
null;if(node)messages.set(id,new WeakRef(node))}return messages}function chooseChangedUnits(refs,blocks,open,wanted,{sizeOf:sizeOf4,
elementsIn:elementsIn2}){const looks=looksOf(refs).now;const known3=new Set(wanted.knownBlocks);const passed=new Set([...looks.
passed,...[...looks.shown].filter(id=>!known3.has(id))]);const present=new Set(blocks.map(({id})=>id));const goneBlocks=goneBlocksOf(
blocks,wanted);const lost=countTexts(goneBlocks,looks.texts);const lostPassed=countTexts([...passed].filter(id=>!present.
has(id)),looks.texts);const isKnown=refs.elementsOf(wanted.known);const chosen=new Map;const fresh=[];const now={texts:new Map,
shown:new Set,passed:new Set,messages:messagesIn(blocks)};for(const unit of open){const{id,rank}=unit.block;if(rank===RANKS.
behind){if(looks.texts.has(id))now.texts.set(id,looks.texts.get(id));if(passed.has(id))now.passed.add(id);continue}const text=textOf(
unit.block);if(unit.block.isBack&&!known3.has(id)){fresh.push(unit);continue}if(known3.has(id)||!passed.has(id)&&take2(lost,
text))chosen.set(unit,true);else if(passed.has(id)||take2(lostPassed,text)||isLeftOut(unit.block,wanted)){now.passed.add(
id);if(elementsIn2(unit).some(found=>isKnown.has(found.element)))chosen.set(unit,true)}else{fresh.push(unit);continue}now.
texts.set(id,text)}let[chars,elements,taken]=[0,0,0];for(const unit of fresh.sort((one,other)=>one.block.rank-other.block.
rank)){const[size,count]=[sizeOf4(unit),elementsIn2(unit).length];if(taken&&(wanted.maxChars!==null&&chars+size>wanted.maxChars||
elements+count>wanted.max))continue;[chars,elements,taken]=[chars+size,elements+count,taken+1];chosen.set(unit,false);now.
texts.set(unit.block.id,textOf(unit.block))}remember2(refs,now);const units=open.filter(unit=>chosen.has(unit));const isShown2=(unit,found)=>!chosen.
get(unit)||isKnown.has(found.element)||!refs.passed.elements.has(found.element);return{units,found:units.flatMap(unit=>elementsIn2(
unit).filter(found=>isShown2(unit,found))),old:new Set(units.filter(unit=>chosen.get(unit)).map(({block})=>block.id)),again:repeatedMessages(
looks,now),left:{elements:0,chars:0},goneBlocks,later:fresh.length-taken}}function repeatedMessages(before2,now){const again=[
...now.messages].filter(([id,node])=>{const known3=before2.messages.get(id);return known3!==void 0&&known3.deref()!==node.
deref()&&before2.texts.get(id)===now.texts.get(id)});return new Set(again.map(([id])=>id))}function goneBlocksOf(blocks,{
knownBlocks}){const present=new Set(blocks.map(({id})=>id));return knownBlocks.filter(id=>!present.has(id))}function countTexts(ids2,texts){
const counts=new Map;for(const id of ids2)if(texts.has(id))increment(counts,texts.get(id));return counts}function take2(counts,text){
const left=counts.get(text)??0;if(left>0)counts.set(text,left-1);return left>0}var MAX_ALIKE=300;var COUNT=/^\d{1,2}$/;var MAX_COUNTED=3;function revertObservation({refs,isPassed}){const registry2=registryHere();
if(refs===null){revertPassed(registry2);revertBlocks(registry2)}for(const entry of(refs??registry2.described).map(ref=>registry2.
byRef.get(ref))){if(entry?.before)entry.print=entry.before;else if(entry)forget(registry2,entry,isPassed)}return{}}function forget(registry2,entry,isPassed){
const element=entry.element.deref();if(isPassed&&element)registry2.passed.add({element,role:entry.print.role,tag:entry.print.
tagName});registry2.drop(entry)}function locate({ref}){clearMemo();const refs=registryHere();const entry=refs.byRef.get(
ref);if(!entry)return{state:"unknown",document:refs.id};if(!isAlive(entry)){const{isFound,alike}=findReplacement(entry,refs);
if(!isFound)return missing(entry,alike)}const element=entry.element.deref();const after2=currentFingerprint(entry,element);
if(isChanged(entry,after2))return{state:"changed",before:shortFingerprint(entry.print),after:shortFingerprint(after2)};return{
state:"here",css:pathTo(element,null)}}function missing(entry,alike){if(!alike.length)return{state:"gone"};const after2=alike.
length===1?shortFingerprint(alike[0]):void 0;return{state:"replaced",before:shortFingerprint(entry.print),after:after2,alike:alike.
length}}function currentFingerprint(entry,element){const tag=tagOf(element);const control=controlShownBy(element);const{
isAct}=entry;const found={element,control,tag,role:roleOf(control),isControl:isAct,isClickable:isAct,isDraggable:isAct};
return fingerprintOf(found,nameFor(found),Boolean(entry.print.isUnique),entry.print)}function isUnchanged(entry){clearMemo();
return isAlive(entry)&&!isChanged(entry,currentFingerprint(entry,entry.element.deref()))}function isChanged(entry,after2){
return differs(entry.print,after2)&&!hasCountedOn(entry,after2)}function hasCountedOn({element,print},after2){if(!COUNT.
test(print.name)||!COUNT.test(after2.name))return false;if(Math.abs(Number(after2.name)-Number(print.name))>MAX_COUNTED)
return false;const row=print.row===print.name?after2.name:print.row;if(differs({...print,name:after2.name,row},after2))return false;
return scan().found.every(found=>found.element===element.deref()||!COUNT.test(nameFor(found)))}function findReplacement(entry,refs){
const look=scan();const alike=look.found.filter(({role,tag})=>shownRole(role,tag)===entry.print.role).filter(found=>nameFor(
found)===entry.print.name).map(found=>({found,print:fingerprintOf(found,nameFor(found),Boolean(entry.print.isUnique),entry.
print)}));const fitting=alike.filter(({print})=>isReplacement(entry.print,print));const isFound=fitting.length===1&&!entry.
isAmbiguous&&!refs.byElement.has(fitting[0].found.element);clearMemo();if(isFound)refs.attach(entry,fitting[0].found.element);
return{isFound,alike:alike.map(({print})=>print)}}var Twins=class{constructor(look){this.look=look;this.named=null;this.
counts=new Map}has(found,print){const word=print.rows[0]?.key.words.at(-1);if(print.isUnique||word!==void 0&&this.look.texts.
get(word)===1)return false;this.named??=Map.groupBy(this.look.found,one=>`${shownRole(one.role,one.tag)} ${nameFor(one)}`);
const kind=kindOfPrint(print);const alike=this.named.get(kind)??[];if(alike.length>MAX_ALIKE)return true;return alike.length>
1&&getOrCompute(this.counts,kind,()=>countPrints(alike)).get(identityOf(print))>1}};function countPrints(alike){const counts=new Map;
for(const found of alike)increment(counts,identityOf(fingerprintOf(found,nameFor(found),false)));return counts}function orphanOf(orphans,found,print){
const fitting=(orphans.get(kindOfPrint(print))??[]).filter(entry=>!isAlive(entry)&&isReplacement(entry.print,fingerprintOf(
found,print.name,Boolean(print.isUnique),entry.print)));return fitting.length===1&&!fitting[0].isAmbiguous?fitting[0]:void 0}var evaluatePath=caller(Document,"evaluate");var documentHeadOf=reader(Document,"head");var nodeNameOf=reader(Node,"node\
Name");var PLAYWRIGHT_PSEUDO=/:(visible|light|scope|text|text-is|text-matches|has-text|nth-match|right-of|left-of|above|below|near)\b/i;
var NESTING=/:(is|where|not|has)\(/i;var COMPOUND_ONLY=/^[^\s>+~]+$/;var FINDERS=new Map(Object.entries({css:({value})=>inTrees(
cssIn(value)),xpath:({value})=>listed(byPath(value)),role:byRole,text:({value,exact})=>listed(byText(matcherOf(value,exact))),
label:({value,exact})=>listed(byLabel(matcherOf(value,exact))),placeholder:({value,exact})=>listed(byAttribute("placehol\
der",value,exact)),testId:({value})=>listed(byAttribute("data-testid",value,true)),coordinates:({x,y})=>listed([hitAt(x,
y)].filter(Boolean)),ref:byRef,held:({value})=>listed([subject(value)].filter(Boolean))}));function find(selector){if(selector.
document&&selector.document!==registryHere().id)return null;try{return FINDERS.get(selector.type)?.(selector)??null}catch{
return null}}function listed(elements){return elements&&{elements}}var knownTrees=null;var treeObserver=new MutationObserver(
noteChanges);var MANY_CHANGES=50;function noteChanges(records){const hasElements=({addedNodes,removedNodes})=>hasElement(
addedNodes)||hasElement(removedNodes);if(records.length<MANY_CHANGES&&!records.some(hasElements))return;treeObserver.disconnect();
knownTrees=null}function hasElement(nodes){for(const node of nodes)if(isElement(node))return true;return false}function shadowTrees(){
noteChanges(treeObserver.takeRecords());const known3=knownTrees;if(known3?.top===topOf(document)&&known3.hosts.filter(shadowOf).
length===known3.roots.length-1)return known3.roots;treeObserver.disconnect();knownTrees={top:topOf(document),roots:[],hosts:[]};
exploreTree(document,knownTrees);return knownTrees.roots}function exploreTree(tree,found){found.roots.push(tree);treeObserver.
observe(tree,{subtree:true,childList:true});const walker=walkerOf(document,tree,NodeFilter.SHOW_ELEMENT);for(let node=walker.
nextNode();node;node=walker.nextNode()){const tag=tagOf(node);if(!canHostShadow(tag))continue;found.hosts.push(node);const shadow=shadowOf(
node);if(shadow)exploreTree(shadow,found)}}function queryTree(tree,css){return[...queryRoot(tree,css)]}function queryTrees(css){
return shadowTrees().flatMap(tree=>queryTree(tree,css))}function cssIn(css){if(PLAYWRIGHT_PSEUDO.test(css)||NESTING.test(
css)&&css.includes("\\"))return null;return{css,isLonely:COMPOUND_ONLY.test(css)&&!/:has\(/i.test(css)}}function inTrees(wanted){
if(!wanted)return null;const all=shadowTrees();if(all.length>1&&!wanted.isLonely)return null;return listed(all.flatMap(tree=>queryTree(
tree,wanted.css)))}function byPath(path){const found=evaluatePath(document,path,document,null,XPathResult.ORDERED_NODE_ITERATOR_TYPE,
null);const nodes=[];for(let node=found.iterateNext();node;node=found.iterateNext())nodes.push(node);return nodes.every(
node=>kindOf(node)===ELEMENT)?nodes:null}var FEWER_BY_ROLE=new Set(["group","deletion"]);function byRole({role,name,exact}){
const wanted=role.toLowerCase();if(!ROLES.has(wanted)||FEWER_BY_ROLE.has(wanted)||name==="")return null;const elements=elementsOfRole(
wanted);if(name===void 0||name===null)return{elements};const[fold2,part]=[text=>exact?text:text.toUpperCase(),collapseSpaces(
name)];const fits=text=>exact?text===part:fold2(text).includes(fold2(part));const named=elements.filter(element=>fits(nameOf(
element)));return elements.some(element=>memo.disputed.has(element))?null:{elements:named}}function isOnlyOfName(element,role,name,most,row=null){
if(!ROLES.has(role)||FEWER_BY_ROLE.has(role))return false;const candidates=row?[...queryAll(row,cssForRole(role))]:queryTrees(
cssForRole(role));if(candidates.length>most)return false;const alike=candidates.filter(one=>mayHaveName(one,name)&&roleOf(
one)===role);const named=alike.filter(one=>nameOf(one)===name&&!isHidden(one));return named.length===1&&named[0]===element&&
!alike.some(one=>memo.disputed.has(one))}function elementsOfRole(role,most=Infinity){const candidates=queryTrees(cssForRole(
role));return candidates.length>most?[]:candidates.filter(element=>roleOf(element)===role&&!isHidden(element))}var NAMED_OTHERWISE="\
input,select,textarea,img,[aria-label],[aria-labelledby]";function mayHaveName(element,name){if(childCountOf(element)>0||
labelElementsOf(element).length>0||shadowOf(element)||matches(element,NAMED_OTHERWISE))return true;return name.includes(
collapseSpaces(textContentOf(element)??""))}var roleCss=new Map;function cssForRole(role){return getOrCompute(roleCss,role,
()=>{const tags=[...TAG_ROLES].filter(([,known3])=>typeof known3==="function"||known3===role).map(([tag])=>tag);return["\
[role]",...tags].join(",")})}function matcherOf(wanted,exact){const text=collapseSpaces(wanted);if(exact)return some=>collapseSpaces(
some)===text;const folded2=text.toLowerCase();return some=>collapseSpaces(some).toLowerCase().includes(folded2)}var wholeTexts=new Map;
function wholeText(node){return getOrCompute(wholeTexts,node,readWhole)}function readWhole(node){const isTag=kindOf(node)===
ELEMENT;if(isTag&&isSilent(node))return"";if(isTag&&tagOf(node)==="input"&&PUSH_TYPES.has(node.type))return node.value;let text="";
for(let child=firstOf(node);child;child=nextOf(child)){if(kindOf(child)===TEXT)text+=dataOf(child);else if(kindOf(child)===
ELEMENT)text+=wholeText(child)}const shadow=isTag&&shadowOf(node);return shadow?text+wholeText(shadow):text}var SILENT=new Set(
["SCRIPT","NOSCRIPT","STYLE"]);function isSilent(element){return SILENT.has(nodeNameOf(element))||(documentHeadOf(document)?.
contains(element)??false)}function byText(fits){wholeTexts=new Map;const verdicts=new Map;const holds2=node=>getOrCompute(
verdicts,node,it=>fits(wholeText(it)));return queryTrees("*").filter(element=>!isSilent(element)&&holds2(element)&&!ownPieces(
element).some(holds2))}function ownPieces(element){const parts=childElementsOf(element);const shadow=shadowOf(element);return shadow?
[...parts,shadow]:parts}var MAY_BE_LABELLED="[aria-labelledby],[aria-label],button,meter,output,progress,select,textarea\
,input";function byLabel(fits){wholeTexts=new Map;return queryTrees(MAY_BE_LABELLED).filter(element=>labelTexts(element).
some(fits))}function labelTexts(element){const named=labellers(element);if(named.length)return named.map(wholeText);const declared=attributeOf(
element,"aria-label");if(declared?.trim())return[declared];return labelElementsOf(element).map(wholeText)}function byAttribute(attribute,value,exact){
const folded2=value.toLowerCase();const fits=declared=>exact?declared===value:declared.toLowerCase().includes(folded2);return queryTrees(
`[${attribute}]`).filter(element=>fits(attributeOf(element,attribute)))}function byRef({value}){const refs=registryHere();
const entry=refs.byRef.get(value);if(!entry)return null;const healed=!isAlive(entry);if(healed&&!findReplacement(entry,refs).
isFound)return null;const element=entry.element.deref();return isChanged(entry,currentFingerprint(entry,element))?null:{
elements:[element],healed,entry}}function elementIndexes(selector){clearMemo();const found=find(selector);const all=queryTrees(
"*");return found&&found.elements.map(element=>all.indexOf(element))}var ROLES3=new Set(["listitem","row","option","article","treeitem"]);var MAX_ROWS3=4;var MAX_DEPTH2=12;var MAX_TEXTS=40;
var MAX_WORDS2=3;var[SHORTEST,LONGEST2]=[3,80];var LETTER2=/\p{L}/u;var CLASS=/^(?!is-|has-)[a-z]{2,}(?:[-_]{1,2}[a-z]+)*$/i;
var VALUES2="select,textarea";function rowOf(element,path,{role,name,most}){const steps=path.split(" > ");for(let node=element,
depth2=0,rows=0;depth2<MAX_DEPTH2&&rows<MAX_ROWS3;node=parentOf(node),depth2+=1){if(!node||!isElement(node)||node===bodyOf(
document)||depth2>=steps.length)return void 0;const kind=kindOfRow3(node,node===element,most);if(kind===null)continue;rows+=
1;const words=wordsOf2(node,kind.rows);if(words.length===0)continue;const isOnly=node!==element&&name!==""&&isOnlyOfName(
element,role,name,most,node);return{...kind.selector,words,path:steps.slice(steps.length-depth2).join(" > "),isOnly}}return void 0}
function kindOfRow3(element,isTarget2,most){const role=roleOf(element)??"";if(ROLES3.has(role)){const rows2=elementsOfRole(
role,most);return rows2.length>1?{selector:{role},rows:rows2}:null}if(isTarget2&&role!==""&&role!=="generic")return null;
const name=sharedClass(element);if(name===null)return null;const css=`${tagOf(element)}.${name}`;const rows=[...queryRoot(
document,css)];return rows.length>1&&rows.length<=most?{selector:{css},rows}:null}function sharedClass(element){const classes=(attributeOf(
element,"class")??"").split(" ").filter(one=>CLASS.test(one));const beside=[previousElementOf(element),nextElementOf(element)].
filter(one=>one&&tagOf(one)===tagOf(element));return classes.find(one=>beside.some(other=>matches(other,`.${one}`)))??null}
function wordsOf2(row,rows){const contents=rows.filter(one=>one!==row).map(one=>folded(textContentOf(one)??""));const own=[];
for(const text of textsIn(row)){if(own.length>=MAX_WORDS2)break;if(!own.includes(text)&&!contents.some(content=>content.
includes(folded(text))))own.push(text)}return own}function*textsIn(row){const walker=walkerOf(document,row,NodeFilter.SHOW_TEXT);
for(let count=0;count<MAX_TEXTS&&walker.nextNode();count+=1){const text=collapseSpaces(dataOf(walker.currentNode));if(text.
length<SHORTEST||text.length>LONGEST2||!LETTER2.test(text))continue;const parent=parentOf(walker.currentNode);if(isElement(
parent)&&!UNRENDERED_TAGS.has(tagOf(parent))&&!isHidden(parent)&&!isValue(parent))yield text}}function isValue(element){
return isEdited(element)||matches(element,`${VALUES2},:is(${VALUES2}) *`)&&roleOf(element)!=="option"}function folded(text){
return collapseSpaces(text).toLowerCase()}var MAX_NAME3=150;var MAX_OF_ROLE=300;var VOLATILE_ID=/\d{4}|^[^a-z]|[0-9a-f]{8}|[:«»]/i;function locatorOf(element){const role=roleOf(
element)??"";const name=role&&nameOf(element);const shown=name.length<=MAX_NAME3?name:"";const isOnly=shown!==""&&isOnlyOfName(
element,role,shown,MAX_OF_ROLE);const css=cssOf(element);const isPlace=!isOnly&&css.includes(":nth-child(")&&!css.includes(
":host");return{css,role,name:shown,isOnly,row:isPlace?rowOf(element,css,{role,name:shown,most:MAX_OF_ROLE}):void 0}}function cssOf(element){
const path=pathTo(element,null);if(path.includes(":host"))return path;const steps=path.split(" > ");for(let node=element,
count=0;node&&node!==topOf(document);node=parentOrHostOf(node),count+=1){const id=attributeOf(node,"id");if(!id||VOLATILE_ID.
test(id)||queryRoot(document,idSelector(id)).length!==1)continue;return[idSelector(id),...steps.slice(steps.length-count)].
join(" > ")}return path}function ownerCss(_,owner){clearMemo();return{css:cssOf(owner)}}var LONGEST_TEXT=1e4;var OFFERED=10;var SET_BY_VALUE=/^(color|date|time|datetime-local|month|range|week)$/;var SHOWN_OTHERWISE=/^(date|time|month|week|datetime-local|color|range)$/;
var TICKED_ROLES=/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/;var PRESSED3="a, button, lab\
el, summary, [role], [onclick], [tabindex]";var DIGITS=/^\d+$/;var LINE_END=/[\n\r]/;var DIALLING_CODE=/^\+\d{1,3}(?=[^\d])/;
var GROUPED=/(?<=\d)[,'’](?=\d{3}(?!\d))|[\p{Sc}%]/gu;var PUSHED=/^(button|submit|reset|image|hidden)$/;function controlKind(control){
const tag=tagOf(control);if(tag==="select")return"select";if(tag==="input"&&control.type==="file")return"file";if(tag===
"input"&&(control.type==="checkbox"||control.type==="radio"))return"check";if(TICKED_ROLES.test(declaredOf(control,"role")??
""))return"check";if(tag==="input")return PUSHED.test(control.type)?"other":"text";return tag==="textarea"||isEdited(control)?
"text":"other"}function opensList(control){const popup=attributeOf(control,"aria-haspopup");return popup==="listbox"||popup===
"dialog"&&hasAttribute(control,"aria-expanded")}function controlState(target2){const{element,control}=target2;const visible=isVisible(
element);return{visible,label:visible?-1:labelElementsOf(element).findIndex(isVisible),enabled:!isDisabled(element)&&!isDisabled(
control)&&!isInert(control),editable:!isReadOnly(control),kind:controlKind(control),tag:tagOf(control)+(tagOf(control)===
"input"?`[type=${control.type}]`:""),combobox:roleOf(control)==="combobox"||opensList(control),listbox:roleOf(control)===
"listbox",suggests:tagOf(control)==="input"&&Boolean(control.list),locked:isLockedAway(target2),framed:isFramed2(target2)}}
function writtenContentOf(control,wanted){const content=contentOf(control,wanted);const isLines=wanted?.whole&&content.landed&&
LINE_END.test(wanted.written);const outer=parentOrHostOf(control);if(isLines&&isEdited(control)&&!(outer&&isEdited(outer))&&
matches(control,":focus-within"))moveCaretToEnd();return content}function contentOf(control,wanted){const kind=controlKind(
control);if(kind==="check")return{value:isTicked(control)};if(kind!=="text")return{};const text=String((isEdited(control)?
editedText(control):control.value)??"");const landed=!wanted||matchesWritten(text,wanted)||isSameNumber(control,text,wanted)||
!wanted.whole&&isElsewhere(control,text);const takes=landed?void 0:formatOf(control);if(isSecret(control))return{landed,
takes,secret:true};const normalized=landed&&wanted?isSpeltOtherwise(control,text,wanted):void 0;return{landed,takes,normalized,
value:text.slice(0,LONGEST_TEXT)}}function isSpeltOtherwise(control,text,{written:written2,whole}){const isRendered2=isEdited(
control);const plain2=some=>isRendered2?collapseSpaces(some):some.replace(/\r\n?/g,"\n");const[now,before2]=[plain2(text),
plain2(written2)];if(whole?now===before2:now.includes(before2))return false;return matchesWritten(text,{written:written2,
whole})||SHOWN_OTHERWISE.test(control.type)}var FORMATS={...DATE_FORMATS,color:"#rrggbb",number:"digits such as -12.5"};
function formatOf(control){if(tagOf(control)==="input"&&control.type==="range"){const{min,max,step}=control;return{field:"\
a range input",format:`a number from ${min||0} to ${max||100} in steps of ${step||1}`}}if(tagOf(control)==="input"&&Object.
hasOwn(FORMATS,control.type)){return{field:`a ${control.type} input`,format:FORMATS[control.type]}}return control.maxLength>=
0?{field:"the field",format:`at most ${control.maxLength} characters`}:void 0}function canHold(control,value){if(control.
type==="number")return!Number.isNaN(Number(value.trim()));if(value===""||!SET_BY_VALUE.test(control.type))return true;const probe=control.
cloneNode();probe.value=value.trim();return matchesWritten(probe.value,{written:value,whole:true})}function matchesWritten(text,{
written:written2,whole}){const plain2=some=>some.replace(/\s+/g,"").toLowerCase();const fits=now=>whole?now===plain2(written2):
now.includes(plain2(written2));if(fits(plain2(text))||whole&&/^-?\d+[.]\d+$/.test(written2.trim())&&fits(plain2(text).replace(
GROUPED,"")))return true;if(!/^[\p{L}\p{N}\s]+$/u.test(written2))return false;const fitsBare=some=>fits(plain2(some).replace(
/[().,:/_+\p{Sc}%-]/gu,""));return fitsBare(text)||whole&&fitsBare(text.trim().replace(DIALLING_CODE,""))}function isSameNumber(control,text,{
written:written2,whole}){const isNumber=whole&&roleOf(control)==="spinbutton"&&DIGITS.test(written2.trim())&&DIGITS.test(
text.trim());return isNumber&&Number(written2)===Number(text)}function isElsewhere(control,text){return text!==""&&SHOWN_OTHERWISE.
test(control.type)||!matches(control,":focus-within")}function optionsOf(control,wanted){const all=[...control.options??
control.list.options];const labels=all.map(option=>collapseSpaces(option.label));const byValue=value=>all.findIndex(option=>option.
value===value);const indexes=wanted.map(value=>byValue(value)<0?labels.indexOf(collapseSpaces(value)):byValue(value));const chosen=all.
filter(option=>option.selected);return{indexes,missing:wanted.filter((_,place)=>indexes[place]<0),disabled:wanted.filter(
(_,place)=>indexes[place]>=0&&matches(all[indexes[place]],":disabled")),known:labels.slice(0,OFFERED),count:all.length,multiple:control.
multiple,found:indexes.map(index=>all[index]?.value??""),chosen:chosen.map(option=>all.indexOf(option)),values:chosen.map(
option=>option.value)}}function focusAtEnd(control){if(!matches(control,":focus-within")){control.focus();if(controlKind(
control)==="text")moveCaretToEnd()}else if(hasLostCaret())moveCaretToEnd();return matches(control,":focus-within")}function dispatchChange(control,change){
change();control.dispatchEvent(new Event("input",{bubbles:true,composed:true}));control.dispatchEvent(new Event("change",
{bubbles:true}))}function singleTarget(selector){clearMemo();const found=find(selector);if(found?.elements.length!==1)return null;
const[element]=found.elements;return{target:targetOf(element),healed:found.healed,entry:found.entry,seen:seenOf(selector,
element)}}function shownFactsOf(element){const name=shorten(shownNameOf(element),MAX_NAME);return{role:roleOf(element),name,
bounds:boundsOf(boxOf(element))}}function seenOf({isRecorded,isWatched},element){return{located:isRecorded?locatorOf(element):
void 0,shown:isWatched?shownFactsOf(element):void 0}}function snapshot({element,control}){const places=[];for(let node=element;node;node=
flatTreeParentOf(node))places.push(node.scrollTop,node.scrollLeft);const held2=[control.value,control.checked,control.indeterminate,
control.selectedIndex,control.open];return[urlOf(document),scrollX,scrollY,history.length,...held2,...places]}function focusOf(element){
const root2=rootOf(element);return[activeOf(document),kindOf(root2)===FRAGMENT?root2.activeElement:null]}var QUESTIONS=new Map(
Object.entries({state:controlState,content:({control},wanted)=>writtenContentOf(control,wanted),misfit:({control},value)=>canHold(
control,value)?null:formatOf(control),options:({control},wanted)=>optionsOf(control,wanted),hasRef:({element},ref)=>find(
{type:"ref",value:ref})?.elements[0]===element,obstacle,scroll:({element},how)=>scrollNear(element,how),locator:({element})=>locatorOf(
element),isPressed:({element})=>getComputedStyle(element).cursor==="pointer"||closest(element,PRESSED3)!==null,isInView:({
element})=>isInView(element),isPartlyInView:({element})=>isPartlyInView(element),leaveEdges:({element})=>leaveEdges(element),
grip:({element})=>gripOf(element),isAt:({element},offset)=>isAt(element,offset),isItem:({element})=>isItem2(element)}));
function question({selector,question:name,argument}){if(!selector)return{answer:scrollNear(null,argument)};const found=singleTarget(
selector);if(!found)return{missing:true};const answer3=QUESTIONS.get(name)(found.target,argument);return answer3 instanceof
Promise?answer3.then(known3=>({answer:known3})):{answer:answer3}}async function obstacle(target2,position){const place=()=>JSON.
stringify(measure(target2.element));const before2=place();await new Promise(done=>(requestAnimationFrame(()=>requestAnimationFrame(
done)),setTimeout(done,FRAME_MS)));if(place()!==before2)return{moving:true};const point=pointOf(target2.element,position);
const hit=point&&hitAt(...point);if(!hit)return{outside:true};return isHit(target2,hit)?{point:{x:point[0],y:point[1]}}:
{covered:describeCover(hit)}}function describeCover(hit){const text=nameOf(hit)||collapseSpaces(attributeOf(hit,"title")??
"")||beginning(hit);return{value:idOrPath(hit),text:shorten(text,MAX_TEXT),ref:refFor(hit)}}function refFor(element){const refs=registryHere();
const known3=refs.byElement.get(element);if(known3||window!==window.top&&!refs.prefix)return known3?.ref;const found={element,
control:element,tag:tagOf(element),role:roleOf(element),isControl:true,isClickable:true,isDraggable:false};return refs.add(
found,fingerprintOf(found,nameFor(found),true)).ref}function canScroll(at,axis){const isLonger=axis==="x"?at.scrollWidth>
at.clientWidth:at.scrollHeight>at.clientHeight;if(!isLonger||at===scrollerOf(document))return isLonger;return/auto|scroll|overlay/.
test(getComputedStyle(at)[axis==="x"?"overflowX":"overflowY"])}function scrollNear(element,{axis,sign,amount}){const root2=scrollerOf(
document)??topOf(document);let at=element??(canScroll(root2,axis)?root2:hitAt(innerWidth/2,innerHeight/2));while(at&&!canScroll(
at,axis))at=flatTreeParentOf(at);at??=root2;const[place,size]=axis==="x"?["scrollLeft","clientWidth"]:["scrollTop","clie\
ntHeight"];const before2=at[place];const by=sign*(amount==="page"?at[size]:amount);at.scrollBy({left:axis==="x"?by:0,top:axis===
"x"?0:by,behavior:"instant"});if(at[place]===before2)return false;noteScroll();return true}var send2=()=>{};function openNotices(binding){if(binding)send2=binding}var LandingNotice=class{constructor(){this.id=Math.
random().toString(36).slice(2);this.isSent=false}send(){if(this.isSent)return;this.isSent=true;send2(this.id)}};var awaitsCookies=false;
function noticeCookies(){if(awaitsCookies||!self.cookieStore)return{};awaitsCookies=true;const report=()=>{awaitsCookies=
false;send2("cookies changed")};self.cookieStore.addEventListener("change",report,{once:true});return{}}var PRESSES=new Set(["pointerdown","mousedown"]);var CLICKS=new Set(["click","auxclick","dblclick","contextmenu"]);var UNREADABLE=new Set(
["canvas","video","audio","iframe","frame","object","embed","select"]);var MEDIA=new Set(["audio","video"]);var PICKERS=new Set(
["file","color","date","time","month","week","datetime-local"]);var AROUND=new Set(["html","body"]);var ARRIVAL_MS=20;var InputRecord=class{constructor(target2,point,action){
this.target=target2;this.point=point;this.action=action;this.notice=new LandingNotice;this.landed=new Set;this.stopped=new Set;
this.navigations=[];this.isExpired=false;this.isGivenUp=false;this.isAstray=false;this.isChanged=false;this.hasInput=false;
this.hasReacted=false;this.last={event:null,isAllowed:false};this.isReleased=false;this.onEvent=()=>{};this.presses=[];this.
pressedPath=new Set;this.isDetached=false;this.observer=new MutationObserver(records=>this.changed(records));this.submits=
[];this.saving=null;this.wanted=null;this.text=null;this.before={state:snapshot(target2),focus:focusOf(target2.element)}}changed(records=[]){
this.isChanged=true;const{event,isAllowed}=this.last;if(isAllowed&&event?.eventPhase!==Event.NONE){this.hasReacted=true;
return}if(!this.pressedPath.size||this.isReleased)return;const removed=records.flatMap(record=>[...record.removedNodes]);
if(removed.some(node=>this.pressedPath.has(node)))this.isDetached=true}note(event){if(event.type==="submit")this.submits.
push(event);if(event.isTrusted)this.changed();if(event.isTrusted&&event.type==="input"){this.notice.send();this.hasInput=
true;this.text=null}this.onEvent()}land(type){this.landed.add(type);this.notice.send()}isMissed(){if(this.isGivenUp&&!this.
presses.length)return true;return[...PRESSES].some(type=>this.stopped.has(type))}get landing(){if(this.action==="write")
return this.stopped.size?"missed":"landed";const isLost=this.isExpired&&!this.landed.size;if(this.action==="hover")return this.
stopped.size||this.isAstray||isLost?"missed":"landed";if(this.isAstray)return"elsewhere";const hasClicked=[...CLICKS].some(
type=>this.landed.has(type));if(this.isMissed())return hasClicked&&isConnected(this.target.element)?"half":"missed";if(hasClicked)
return"landed";if(this.landed.size)return this.isComplete()?"landed":"detached";if(isLost)return"lost";return this.isForBrowsersControls()?
"landed":"unseen"}isForBrowsersControls(){const{element}=this.target;return MEDIA.has(tagOf(element))&&element.hasAttribute(
"controls")&&hitAt(...this.point)===element}isComplete(){if(this.hasReacted||!(this.stopped.size||this.isDetached))return true;
const pressed=[...this.pressedPath].filter(node=>node!==window&&isElement(node));return pressed.some(element=>!AROUND.has(
tagOf(element))&&hasPressListener(element))}hasEffect(){if(this.action==="hover"||this.isExpired)return true;return this.
hasActed()||this.before.focus.some((element,place)=>element!==focusOf(this.target.element)[place])}hasActed(){if(this.observer.
takeRecords().length)this.isChanged=true;if(this.isChanged||this.navigations.length)return true;return snapshot(this.target).
some((value,place)=>value!==this.before.state[place])}isSettled(){if(this.navigations.length)return true;if(this.submits.
some(event=>!event.defaultPrevented))return false;const{control}=this.target;if(this.wanted&&contentOf(control,null).value!==
this.wanted.checked)return false;return this.hasActed()}hasArrived(){if(this.action==="write")return this.hasInput;return(this.
action==="hover"?this.landed.has("mousemove"):this.isReleased)&&!this.stopped.size}waitForInput(done){const isThere=()=>this.
hasArrived()||this.stopped.size>0;if(isThere())done();else later(done,ARRIVAL_MS);this.onEvent=()=>void(isThere()&&nextTask(
done))}isDone(){const{control}=this.target;if(this.landing!=="landed"||this.navigations.length||!window.navigation?.currentEntry)
return false;if(this.submits.some(event=>!event.defaultPrevented))return false;return!this.wanted||isConnected(control)&&
contentOf(control,null).value===this.wanted.checked}report(){const{element,control}=this.target;const{landing}=this;const hit=landing===
"unseen"?hitAt(...this.point):null;const isOpaque=UNREADABLE.has(tagOf(element))||UNREADABLE.has(tagOf(control))||PICKERS.
has(control.type);return{landing,changed:this.hasEffect()||isOpaque,under:hit?tagOf(hit):null,isDeaf:!window.navigation?.
currentEntry,navigations:this.navigations.map(describeNavigation).concat(describeSaving(this.saving))}}};function describeNavigation({
destination,defaultPrevented,downloadRequest}){return{isSame:destination.sameDocument,isPrevented:defaultPrevented,isDownload:typeof downloadRequest===
"string"}}function describeSaving(click){return click&&!click.defaultPrevented?[{isSame:false,isPrevented:false,isDownload:true}]:
[]}var RELEASES=new Set(["pointerup","mouseup"]);var MOVES=new Set(["pointermove","mousemove"]);var CLICK_EVENTS=new Set([...PRESSES,
...RELEASES,...CLICKS]);var STARTS=new Set(["pointerdown","pointerup",...MOVES]);var EFFECT_EVENTS=["input","change","su\
bmit","reset","toggle","play","pause","fullscreenchange"];var GUARD_MS=3e3;var GUARDED={click:CLICK_EVENTS,hover:MOVES,write:new Set};
var Guard=class extends InputRecord{constructor(target2,point,action){super(target2,point,action);this.types=GUARDED[action];
this.startedAt=Date.now();this.isObserved=()=>true;this.isApproved=()=>true}arm(){const roots=[document,rootOf(this.target.
element),shadowOf(this.target.element)];const all={subtree:true,childList:true,attributes:true,characterData:true};for(const root2 of roots.
filter(Boolean))this.observer.observe(root2,all);for(const type of this.types)addEventListener(type,judgeEvent,true);for(const type of EFFECT_EVENTS)
addEventListener(type,noteEvent,true);addEventListener("beforeinput",judgeInput,true);listenAgain();if(this.action==="wr\
ite")addEventListener("keydown",judgeKey,true);window.navigation?.addEventListener("navigate",noteNavigation);this.timer=
setTimeout(()=>this.expire(),GUARD_MS)}expire(){this.isExpired=true;this.observer.disconnect()}disarm(){clearTimeout(this.
timer);this.observer.disconnect();if(guard===this)guard=null}judge(event){if(!this.types.has(event.type)||!event.isTrusted||
!isNear(event,...this.point))return;const isOurs=event.composedPath().some(node=>this.target.accepted.has(node));const isAllowed=this.
isOfLastInput(event)?this.last.isAllowed:this.isAllowed(event,isOurs);if(PRESSES.has(event.type))this.pressedPath=new Set(
event.composedPath());this.isReleased=!PRESSES.has(event.type)&&event.type!=="contextmenu";if(this.isExpired&&!isAllowed)
this.isAstray=true;else if(!isAllowed)this.stopped.add(event.type);else if(isOurs)this.land(event.type);if(!isAllowed&&!this.
isExpired)stop2(event);else if(PRESSES.has(event.type))this.presses.push(event);else if(event.type==="click"&&event.altKey&&
event.composedPath().some(isLink))this.saving=event;this.last={event,isAllowed};this.onEvent()}isOfLastInput(event){return!STARTS.
has(event.type)&&this.last.event?.timeStamp===event.timeStamp}isAllowed(event,isOurs){if(this.isMissed())return false;if(!isOurs)
return this.isFollowing(event.type);if(!PRESSES.has(event.type))return true;return this.presses.length?this.isApproved():
!this.isOther()}judgeInput(event){if(!event.isTrusted||this.action!=="write")return;const isGuarded=this.text!==null&&event.
data===this.text&&!this.isExpired;const[written2,...around2]=event.composedPath();const{control}=this.target;const isOurs=written2===
control||around2.includes(control)||isEdited(written2)&&isWithinElement(control,written2);if(!isGuarded||isOurs&&!this.isOther()){
this.notice.send();return}this.refuse(event);this.onEvent()}judgeKey(event){if(!event.isTrusted||this.action!=="write")return;
if(this.isExpired||this.isApproved())this.notice.send();else this.refuse(event)}refuse(event){this.stopped.add(event.type);
stop2(event)}isOther(){if(this.observer.takeRecords().length)this.isChanged=true;return this.isChanged&&!(this.isObserved()&&
this.isApproved())}isFollowing(type){return!PRESSES.has(type)&&!MOVES.has(type)&&this.hasReacted}};var guard=null;function startGuard(target2,point,action,entry=null,isApproved=()=>true){
guard=new Guard(target2,point,action);guard.isObserved=()=>!entry||isUnchanged(entry);guard.isApproved=isApproved;guard.
arm();return guard}var judgeEvent=event=>guard?.judge(event);var judgeInput=event=>guard?.judgeInput(event);var judgeKey=event=>guard?.
judgeKey(event);var noteEvent=event=>guard?.note(event);var noteNavigation=event=>void guard?.navigations.push(event);function stop2(event){
event.preventDefault();event.stopImmediatePropagation()}function isLink(node){return node instanceof Element&&matches(node,
"a[href], area[href]")}function giveUp(notice){if(guard?.notice.id===notice)guard.isGivenUp=true;return{}}function disarm(notice=null){
if(notice===null||guard?.notice.id===notice)guard?.disarm();return{}}function prepare({selector,action,position,checked,isSent,until,approved,isAhead=false}){guard?.disarm();const found=Date.
now()>until?null:singleTarget(selector);if(!found)return{state:"unsure"};const answer3={state:"unready",healed:found.healed||
void 0,...found.seen};const target2=checked===null?found.target:pressedFor(found.target);if(!isPlain(target2)||checked!==
null&&!canBecome(target2.control,checked))return answer3;if(checked!==null&&contentOf(target2.control,null).value===checked)
return{...answer3,state:"already"};const{element}=found.target;if(isLockedAway(target2)||!isUsable(target2)||!isSteady(target2.
element))return answer3;const point=selector.type==="coordinates"?exactPoint(selector,target2):hitPointOf(target2,position,
isAhead);const isApproved=()=>isAsApproved(element,approved??null)&&!isForAnother(element,hitAt(...point),approved??null);
if(!point||!isApproved())return answer3;const armed=isSent?startGuard(target2,point,action,found.entry,isApproved):null;
if(armed&&checked!==null)armed.wanted={checked,find:()=>singleTarget(selector)?.target.control};return{...answer3,state:"\
ready",x:point[0],y:point[1],notice:armed?.notice.id}}var SPECIAL=new Set(["iframe","frame","option","optgroup"]);function isPlain({
element}){return!SPECIAL.has(tagOf(element))&&visualViewport?.scale===1}function pressedFor(target2){const label=isVisible(
target2.element)?null:labelElementsOf(target2.element).find(isVisible);return label?targetOf(label):target2}function canBecome(control,checked){
return controlKind(control)==="check"&&(checked||control.type!=="radio")}function exactPoint({x,y},target2){return isHit(
target2,hitAt(x,y))?[x,y]:null}var NO_GUARD={landing:"gone",changed:true,under:null,isDeaf:true,isLeft:true,navigations:[]};
async function verify({next,isBehind:isBehind3=false,mayBeHeld=false}){const current=guard;if(!current)return NO_GUARD;if(isBehind3)
await new Promise(done=>current.waitForInput(done));if(isBehind3&&!current.hasArrived())return{landing:"early"};if(mayBeHeld&&
current.presses.length&&!current.isReleased)return{landing:"held"};if(!current.isSettled())await new Promise(nextFrame);
const report={...current.report(),...checkReport(current)};return{...report,next:finishGuard(current,next,current.isDone())}}
function checkReport({target:target2,landed,wanted}){const isThere=isConnected(target2.control);if(!wanted||!isThere&&landed.
has("click"))return{};const control=isThere?target2.control:wanted.find();const held2=control&&controlKind(control)==="c\
heck"?contentOf(control,null).value:null;return!isThere&&held2===!wanted.checked?{landing:"detached"}:{held:held2}}var PREPARATIONS=new Map(
Object.entries({prepare}));function finishGuard(current,next,isDone){const isFree=guard===current;current.disarm();if(!next||
!isFree||!isDone)return null;try{return PREPARATIONS.get(next.function)({...next,isAhead:true})}catch{disarm();return null}}var PressWatch=class{constructor(outcomeOf,point,until){this.outcomeOf=outcomeOf;this.point=point;this.until=until;this.
press={event:null,isAccepted:true};this.outcome="unseen";this.hasLanded=false;this.notice=new LandingNotice}judge(event){
if(!event.isTrusted||!CLICK_EVENTS.has(event.type)||Date.now()>this.until)return;if(this.point&&!isNear(event,this.point.
x,this.point.y))return;if(PRESSES.has(event.type)&&event.timeStamp!==this.press.event?.timeStamp)this.judgePress(event);
if(this.press.isAccepted)return;stop2(event);if(event.type==="mousedown"&&event.detail>1&&this.hasLanded)this.outcome="h\
alf"}judgePress(event){this.outcome=this.outcomeOf(event);const isAccepted=this.outcome==="landed";this.press={event,isAccepted};
this.hasLanded||=isAccepted;if(isAccepted)this.notice.send()}};var watch=null;var judgeEvent2=event=>watch?.judge(event);
var RELEASES2=["pointerup","mouseup"];var isHeld=false;var noteButton=event=>void(event.isTrusted&&(isHeld=PRESSES.has(event.
type)));function watchRelease(){isHeld=false;for(const type of[...PRESSES,...RELEASES2])addEventListener(type,noteButton,
true);return{}}async function isPressHeld(){await new Promise(nextTask);return{isHeld:guard?guard.presses.length>0&&!guard.
isReleased:isHeld}}function start(made){watch=made;watchRelease();for(const type of CLICK_EVENTS)addEventListener(type,judgeEvent2,
true);return{notice:made.notice.id}}function watchPress({selector,isForced,until,approved}){const chosen=selector?.type===
"held"?find(selector)?.elements[0]:null;const current=()=>{clearMemo();return chosen??find(selector)?.elements[0]};const outcomeOf=event=>{
if(!selector)return"landed";const element=current();if(!isPressed(element,event,isForced)||!isAsApproved(element,approved))
return"missed";return isForAnother(element,event.composedPath()[0],approved)?"other":"landed"};return start(new PressWatch(
outcomeOf,null,until))}function isPressed(element,event,isForced){if(!element||!isConnected(element))return false;if(!isForced)
return isHit(targetOf(element),event.composedPath()[0]);const{left,right,top,bottom}=measure(element);return event.clientX>=
left-1&&event.clientX<=right+1&&event.clientY>=top-1&&event.clientY<=bottom+1}function watchFramePress({until},owner){start(
new PressWatch(event=>event.composedPath()[0]===owner?"landed":"missed",null,until));return{}}function pressThroughFrame({
until,...point},owner){const found=throughFrame(point,owner);if(found)start(new PressWatch(event=>event.composedPath()[0]===
owner?"landed":"missed",found,until));return found}var INPUT_STARTS=new Set([...PRESSES,"keydown","textInput","paste","d\
rop"]);var INPUTS=new Set([...CLICK_EVENTS,...INPUT_STARTS,"keypress","keyup","beforeinput","input","dragenter","dragove\
r"]);var refusal={until:0,hasRefused:false};var refuseEvent=event=>{if(!event.isTrusted||Date.now()>refusal.until)return;
refusal.hasRefused||=INPUT_STARTS.has(event.type);stop2(event)};function refuseInput({until}){const{hasRefused}=refusal;
Object.assign(refusal,{until,hasRefused:false});for(const type of INPUTS)addEventListener(type,refuseEvent,true);return{
hasRefused}}function endPressWatch(){const outcome=watch?.outcome??"gone";watch=null;return{outcome}}var BLANK=String.raw`(?:\s|\+|%(?:25)*(?:20|09|0A|0D|C2%(?:25)*A0)|&(?:amp;)*(?:nbsp|#0*(?:9|10|13|32|160)|#x0*(?:9|A|D|20|A0));|\\{1,4}(?:[nrt]|u00(?:20|09|0A|0D|A0))|[\u00ad\u200b-\u200d\u2060\ufeff])+`;
var INVISIBLE2=String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]*`;var JOINT="​";var NAMES=new Map(Object.entries({"&":"amp",
"<":"lt",">":"gt",'"':"quot","'":"apos"}));var SILENT2=new Set(["script","style","template","noscript"]);var latest={key:"",
pattern:null};function spellingsOf(values){const plain2=values.map(value=>value.trim()).filter(Boolean).sort((one,other)=>other.
length-one.length);const key=JSON.stringify(plain2);if(key!==latest.key)latest={key,pattern:plain2.length?new RegExp(plain2.
map(spellings).join("|"),"gi"):null};return latest.pattern}function spellings(value){const bare=value.replace(/[\s-]+/g,
"");if(/^[a-z0-9]*$/i.test(bare)&&bare.replace(/\D/g,"").length>=8)return[...bare].join(`(?:${BLANK}|-)?`);return value.
split(/\s+/).map(word=>[...word].map(spelling).join(INVISIBLE2)).join(BLANK)}function spelling(character){if(/[a-z0-9]/i.
test(character))return character;const units=character.split("").map(unit=>unit.charCodeAt(0).toString(16).padStart(4,"0"));
const raw=units.map(unit=>`\\u${unit}`).join("");const code=Number(character.codePointAt(0));const bytes=new TextEncoder().
encode(character);const url=[...bytes].map(byte=>`%(?:25)*${byte.toString(16).padStart(2,"0")}`).join("");const name=NAMES.
has(character)?`|${NAMES.get(character)}`:"";const json=units.map(unit=>String.raw`\\{1,4}u${unit}`).join("");const longer=[
character.toUpperCase(),character.toLowerCase()].filter(one=>[...one].length>1);const others=longer.map(one=>`|${[...one].
map(spelling).join(INVISIBLE2)}`).join("");return String.raw`(?:\\{0,4}${raw}|${url}|&(?:amp;)*(?:#0*${code}|#x0*${code.
toString(16)}${name});|${json}${others})`}function holds(text,pattern2){return text.search(pattern2)>=0}function*secretNodes(pattern2){
const texts=[];let joined2="";for(const node of nodesFrom(document)){if(kindOf(node)===ELEMENT){const names=namesIn(node).
filter(name=>holds(attributeOf(node,name)??"",pattern2));if(names.length)yield{node,names}}else if(kindOf(node)===TEXT){
if(!SILENT2.has(tagOf(parentOrHostOf(node))))texts.push({node,end:(joined2+=dataOf(node)+JOINT).length});else if(holds(dataOf(
node),pattern2))yield{node,names:[]}}}let at=0;for(const match of joined2.matchAll(pattern2)){while(texts[at].end<=match.
index)at+=1;for(let next=at;next<texts.length;next+=1){yield{node:texts[next].node,names:[]};if(texts[next].end>=match.index+
match[0].length)break}}}var UNDRAWN=new Set(["class","style","id","href","src","srcset","d"]);var listed2={nodes:[],owners:[]};
function documentTexts(fields2,limit){listed2={nodes:[],owners:[]};const texts=[];const values=[];let size=0;const add2=(node,names,value)=>{
if(typeof value!=="string"||!value)return;size+=value.length;values.push(value);listed2.owners.push({node,names})};for(const node of nodesFrom(
document)){if(kindOf(node)===ELEMENT){for(const name of namesIn(node))if(!UNDRAWN.has(name))add2(node,[name],attributeOf(
node,name));if(matches(node,fields2))add2(node,[],node.value)}else if(kindOf(node)===TEXT&&!SILENT2.has(tagOf(parentOrHostOf(
node)))){size+=dataOf(node).length;texts.push(dataOf(node));listed2.nodes.push(node)}if(size>limit)return{isTooLarge:true,
texts:[],values:[]}}return{isTooLarge:false,texts,values}}function*listedNodes(texts,values){const nodes=texts.map(index=>({
node:listed2.nodes[index],names:[]}));for(const one of[...nodes,...values.map(index=>listed2.owners[index])]){if(one?.node)
yield one}}var ESCAPE=/\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|([^]))/gi;var NAME=RegExp(`^\\s*(?:[^\\s|=\\]"']*\\|(?!=))?\\s*((?:${ESCAPE.
source}|[^\\s|=~^$*\\]"'\\\\])+)`,"i");var COMMENT=/("(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|\\[^])|\/\*[^]*?(?:\*\/|$)/g;
var COMBINATORS=" 	\n\r\f>+~,";function attributeTests(css,isMeant){const tests=[];readList(css.replace(COMMENT,(_,kept)=>kept??
" "),0,tests,isMeant);return tests}function readList(css,at,tests,isMeant){let names=[];let rest="";const endCompound=()=>{
for(const name of names)tests.push({name,rest:rest||"*"});[names,rest]=[[],""]};while(at<css.length&&css[at]!==")"){if(COMBINATORS.
includes(css[at])){endCompound();at+=1;continue}const end=endOfPart(css,at);const part=css.slice(at,end);const name=part.
startsWith("[")?nameIn(part):null;if(name!==null&&isMeant(name))names.push(name);else if(css[end]!=="(")rest+=withoutStates(
part);if(css[end]==="("){const count=tests.length;const behind=readList(css,end+1,tests,isMeant);if(tests.length===count)
rest+=withoutStates(part,css.slice(end,behind));at=behind}else at=end}endCompound();return at+1}function withoutStates(part,list=""){
if(/^["'[]/.test(part))return part;if(/:not$/i.test(part)&&/^\([^:()]*\)$/.test(list))return`${withoutStates(part.slice(
0,-":not".length))}:not${list}`;return part.replace(/::?(?!checked\b)[-\w]+/gi,"")}function endOfPart(css,start2){if(css[start2]===
"[")return endOfTest(css,start2);if(`"'`.includes(css[start2]))return endOfString(css,start2);let at=start2;while(at<css.
length&&!`${COMBINATORS}[]()"'`.includes(css[at]))at+=css[at]==="\\"?2:1;return Math.max(at,start2+(css[at]==="("?0:1))}
function endOfTest(css,start2){let at=start2+1;while(at<css.length&&css[at]!=="]"){if(css[at]==="\\")at+=2;else if(`"'`.
includes(css[at]))at=endOfString(css,at);else at+=1}return at+1}function endOfString(css,start2){let at=start2+1;while(at<
css.length&&css[at]!==css[start2])at+=css[at]==="\\"?2:1;return at+1}function nameIn(test){const name=(NAME.exec(test.slice(
1))?.[1]??"").replace(ESCAPE,(_,code,character)=>character??String.fromCodePoint(parseInt(code,16)%1114112));return name.
toLowerCase()}var BUTTONS3="input[type=button], input[type=submit], input[type=reset]";var FIELDS6="input, textarea, [contenteditable]";
var TEXT_PSEUDO=/:(text|text-is|text-matches|has-text)\b|\\/i;var PLAIN_PREDICATE=/\[\s*(?:\d+|last\(\)|@[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)\s*\]/g;
var ASKS={css:({value},places)=>attributeTests(value,name=>!name||places.attributes.has(name)).some(test=>mayTest(test,places))||
places.texts.length>0&&TEXT_PSEUDO.test(value),xpath:({value},places)=>asksByPath(value,places),text:({exact},{texts})=>!exact&&
texts.length>0,label:({exact},{texts,attributes})=>!exact&&(texts.length>0||attributes.has("aria-label")),placeholder:({
exact},{attributes})=>!exact&&attributes.has("placeholder"),role:({role,name,exact},places)=>Boolean(name)&&(lacksValue(
role.toLowerCase(),places)||!exact&&hasSecretName(role.toLowerCase(),places))};function asksForSecrets({queries,secrets:secrets2}){
clearMemo();const places=placesOf(secretsHere(secrets2));const isEmpty2=!places.attributes.size&&!places.texts.length&&!places.
hasValues;return{asks:!isEmpty2&&queries.some(query=>ASKS[query.type]?.(query,places)),document:registryHere().id}}function placesOf(values){
const places={attributes:new Map,texts:[],hasValues:false};for(const field of queryTrees(FIELDS6))if(isSecret(field))addField(
field,places);const pattern2=spellingsOf(values);if(pattern2)for(const shown of secretNodes(pattern2))addShown(shown,places);
return places}function addField(field,places){const{attributes,texts}=places;places.hasValues||=Boolean(field.value);if(attributeOf(
field,"value"))add(attributes,"value",field);if((isEdited(field)||matches(field,"textarea"))&&textContentOf(field))texts.
push(field)}function addShown({node,names},{attributes,texts}){if(kindOf(node)===TEXT)texts.push(parentOrHostOf(node));for(const name of names)
add(attributes,name.toLowerCase(),node);if(names.includes("value")&&matches(node,BUTTONS3))texts.push(node)}function add(map,key,element){
map.set(key,[...map.get(key)??[],element])}function mayTest({name,rest},{attributes}){const elements=name?attributes.get(
name)??[]:[...attributes.values()].flat();return elements.some(element=>{try{return matches(element,rest)}catch{return true}})}
function asksByPath(path,{attributes,texts}){const bare=path.replace(/"[^"]*"|'[^']*'/g,"''");const names=[...bare.matchAll(
/(?:@|attribute\s*::)\s*([\w.:*-]+)/g)].map(([,name])=>name.toLowerCase().split(":").at(-1));if(attributes.size>0&&names.
some(name=>name==="*"||name==="node"||attributes.has(name)))return true;return texts.length>0&&/[[(]/.test(path.replace(
PLAIN_PREDICATE,""))}function lacksValue(role,{hasValues}){return hasValues&&elementsOfRole(role).some(element=>nameOf(element)!==
null&&memo.withheld.has(element))}function hasSecretName(role,{attributes,texts}){const named=["aria-label","title","alt",
"placeholder","value"].flatMap(name=>attributes.get(name)??[]);const labelled2=queryTrees("[aria-labelledby], input, tex\
tarea, select, button").filter(element=>[...labellers(element),...labelElementsOf(element)].some(label=>texts.some(text=>label.
contains(text))));const around2=[...texts,...named].flatMap(element=>[...upFrom(element)]);return[...around2,...labelled2].
some(element=>roleOf(element)===role&&nameOf(element)!=="")}function*upFrom(element){for(let node=element;node;node=parentOrHostOf(
node))yield node}var VALUED="input, textarea, select";var DRAWN2=new Set(["placeholder","label","alt"]);var PSEUDO=["::before","::after",
"::marker"];var secretFields=new Set;var wholeValues=new WeakMap;var unfinished=new Set;var isDropped=false;function originHere(){
return{origin:globalThis.origin}}async function writeSecret({control},{origin,text,values,how,clears,delay}){if(globalThis.
origin!==origin)return{isElsewhere:true};if(how!=="goOn"){markSecret(control);if(how==="fill"||clears)selectAll(control);else
focusAtEnd(control);if(!hasCaret(control))return{isAstray:true}}for(const value of values)writtenSecrets.add(value);isDropped=
false;const isAstray=how==="fill"?void insertText(control,text):await typeKeys(text,clears,delay);await new Promise(nextTask);
const isReadBack=how!=="goOn"&&isConnected(control);const landed=!isReadBack||contentOf(control,{written:text,whole:how===
"fill"}).landed;if(isAstray||!landed)dropParts(field=>hasSignOf(field,text));for(const field of unfinished)wholeValues.set(
field,field.value);unfinished.clear();return isAstray?{isAstray}:{landed}}function hasCaret(control){return matches(control,
":focus-within")}function insertText(control,text){if(SET_BY_VALUE.test(control.type))dispatchChange(control,()=>control.
value=text.trim());else execCommand(document,"insertText",false,text)}async function typeKeys(text,clears,delay){if(clears)
execCommand(document,"delete");for(const key of text){const field=fieldInFocus();if(!field||isDropped)return true;markSecret(
field);if(dispatchKey(field,"keydown",key)&&dispatchKey(field,"keypress",key))execCommand(document,"insertText",false,key);
dispatchKey(field,"keyup",key);if(delay)await new Promise(done=>later(done,delay))}return false}function dispatchKey(field,type,key){
return field.dispatchEvent(new KeyboardEvent(type,{key,bubbles:true,cancelable:true,composed:true}))}function fieldInFocus(){
const focused=focusedElement();return focused&&controlKind(focused)==="text"?focused:null}var EXPORT_EVENTS=["copy","cut",
"dragstart"];function preventExport(event){const isHeld2=[...secretFields].some(one=>event.composedPath().includes(one.deref()));
if(isHeld2)event.preventDefault()}function noteReplacement(event){const[field]=event.composedPath();if(event.isTrusted&&
wholeValues.has(field)&&isAllSelected(field))wholeValues.delete(field)}function isAllSelected({value,selectionStart,selectionEnd}){
if(selectionStart===null)return String(getSelection()).length>=value.length;return selectionStart===0&&selectionEnd===value.
length}function dropPart(event){const[field]=event.composedPath();const isUndone=secrets.has(field)&&event.inputType?.startsWith(
"history");const isPart3=wholeValues.has(field)&&!field.value.includes(wholeValues.get(field));if(!event.isTrusted||!(isUndone||
isPart3)||isEdited(field))return;wholeValues.delete(field);field.value=""}function dropUnfinished(){isDropped=true;dropParts(
()=>true);return{}}function dropParts(isPart3){for(const field of unfinished)if(isPart3(field))dispatchChange(field,()=>field.
value="");unfinished.clear()}function hasSignOf({value},text){const signs=new Set(text.toLowerCase());return[...value.toLowerCase()].
some(sign=>/[\p{L}\p{N}]/u.test(sign)&&signs.has(sign))}function markSecret(field){for(const type of EXPORT_EVENTS)addEventListener(
type,preventExport,true);addEventListener("beforeinput",noteReplacement,true);addEventListener("input",dropPart,true);if(!isEdited(
field)){wholeValues.delete(field);unfinished.add(field)}secrets.add(field);for(let host=parentOrHostOf(field);host&&isEdited(
field)&&isEdited(host);host=parentOrHostOf(host))secrets.add(host);if(![...secretFields].some(one=>one.deref()===field))
secretFields.add(new WeakRef(field))}function secretPlaces({origin,values}){clearMemo();const known3=secretsHere({origin,
values});const places=new Set;for(const one of secretFields){const field=one.deref();if(field&&isConnected(field)&&!isEmpty(
field))places.add(field)}const pattern2=spellingsOf(known3);if(pattern2){for(const{node,names}of secretNodes(pattern2))if(kindOf(
node)===TEXT||isDrawn2(node,names))places.add(holderOf(node));for(const field of queryTrees(VALUED))if(typeof field.value===
"string"&&holds(field.value,pattern2))places.add(field)}return{paths:[...places].filter(Boolean).map(element=>pathTo(element,
null))}}function textsHere({limit}){return documentTexts(VALUED,limit)}function placesOf2({texts,values}){clearMemo();const places=new Set;
for(const{node,names}of listedNodes(texts,values)){if(isConnected(node)&&(kindOf(node)===TEXT||!names.length||isDrawn2(node,
names)))places.add(holderOf(node))}return{paths:[...places].filter(Boolean).map(element=>pathTo(element,null))}}function isEmpty(field){
return(isEdited(field)?textContentOf(field):field.value)===""}function isDrawn2(element,names){if(names.some(name=>DRAWN2.
has(name)))return true;return PSEUDO.some(pseudo=>!/^(none|normal|)$/.test(getComputedStyle(element,pseudo).content))}function holderOf(node){
const element=kindOf(node)===TEXT?parentOrHostOf(node):node;return closest(element,"select")??element}QUESTIONS.set("wri\
teSecret",writeSecret);var MAX_ANIMATIONS=200;var MAX_MS=500;var REVEALING=/^(opacity|visibility|display|(max|min)?-?(height|width|blockSize|inlineSize)|max(Height|Width)|transform|translate|scale|clip(-path|Path)?|grid.*|margin.*|top|left|right|bottom|inset.*)$/;
function revealingMs(begin){const since=begin-documentBegin();const animations=animationsInDocument(document);let longest=0;
for(let i=0;i<animations.length&&i<MAX_ANIMATIONS;i++){const left=remainingMs(animations[i],since);if(left>longest&&left<=
MAX_MS&&isReveal(animations[i]))longest=left}return longest}function remainingMs(animation,since){if(animation.playState!==
"running"||!animation.effect)return 0;if(animation.startTime!==null&&Number(animation.startTime)<since)return 0;const{endTime}=animation.
effect.getComputedTiming();return Math.max(0,Number(endTime??0)-Number(animation.currentTime??0))}function isReveal(animation){
const effect=animation.effect;if(!effect.target?.textContent?.trim())return false;if(animation instanceof CSSTransition)
return REVEALING.test(animation.transitionProperty);return effect.getKeyframes().some(frame=>Object.keys(frame).some(property=>REVEALING.
test(property)))}var readyStateOf=reader(Document,"readyState");var isHiddenPage=reader(Document,"hidden");var MAX_UNREST_MS=500;var MAX_UNREST_FRAMES=15;
var MAX_LOAD_MS=1e3;var RECHECK_MS=100;var AT_WORK="	";var JUST_FINISHED="\r";var RESTLESS="\v";var MARKS3=new Set([AT_WORK,
JUST_FINISHED,RESTLESS]);var FRAME_MS2=50;var SLOW_FRAME_MS=300;var MAX_MISSED=2;var missed=0;var updated=new WeakSet;async function settle({
begin,end,timeout,isRestWanted}){const start2=performance.now();const deadline=start2+timeout;observeChanges();takeChanges();
await nextTask2();await lastTask();let restlessSince=0;let isRestNeeded=takeScroll()||isRestWanted;let hasWaited=false;for(;;){
const awaited=pendingItems(begin,end,start2);const now=performance.now();if(awaited.items.length>0&&now<deadline){[isRestNeeded,
restlessSince,hasWaited]=[true,0,true];await finishedActivity(Math.min(RECHECK_MS,deadline-now));continue}isRestNeeded=takeChanges()||
isRestNeeded||restlessSince===0&&awaited.hasJustFinished;restlessSince||=now;const unrestMs=Math.max(MAX_UNREST_MS,MAX_UNREST_FRAMES*
frameMs());if(!isRestNeeded||now>=deadline||now-restlessSince>unrestMs)return{...awaited,hasWaited};isRestNeeded=false;for(let frame=0;frame<
2&&!isRestNeeded;frame++){await nextFrame2();isRestNeeded=takeChanges()}if(!isRestNeeded&&pendingItems(begin,end,start2).
items.length===0)return{...awaited,hasWaited};isRestNeeded=true}}function isAtRest(){observeChanges();const hasChanged2=takeChanges();
const time=Date.now();const{isKnown,isWorking,items}=pendingItems(1,time,performance.now());const isRestless2=!isKnown||
isWorking||activityOf(1,time)?.includes(RESTLESS);return{isAtRest:!hasChanged2&&!isRestless2&&items.length===0}}function pendingItems(begin,end,start2){
const activity=activityOf(begin,end);const items=(activity??[]).filter(item=>!MARKS3.has(item));const isWorking=activity?.
some(item=>item===AT_WORK||item==="worker");const hasJustFinished=activity?.includes(JUST_FINISHED)||void 0;if(isLoading(
begin,start2))items.push("document");if(items.length===0&&(revealingMs(begin)>0||isUpdating()))items.push("transition");
return{isKnown:activity!==null,isWorking:isWorking||void 0,hasJustFinished,items}}function isUpdating(){const transition=document.
activeViewTransition;if(!transition||updated.has(transition))return false;const note3=()=>updated.add(transition);transition.
updateCallbackDone.then(note3,note3);return true}function isLoading(begin,start2){if(readyStateOf(document)==="complete"||
documentBegin()<begin)return false;return!isParsed()||performance.now()-start2<MAX_LOAD_MS}function isParsed(){const[navigation]=performance.
getEntriesByType("navigation");return readyStateOf(document)!=="loading"&&navigation?.domContentLoadedEventEnd!==0}function nextTask2(){
return new Promise(done=>{const{port1,port2}=new MessageChannel;port1.onmessage=()=>{port1.close();done(void 0)};port2.postMessage(
null)})}function lastTask(){const{scheduler}=self;return new Promise(done=>{setTimeout(done,FRAME_MS2);if(scheduler)scheduler.
postTask(done,{priority:"background"});else setTimeout(done)})}async function nextFrame2(){const start2=performance.now();
const isDrawn3=await new Promise(done=>{requestAnimationFrame(()=>{missed=0;done(true)});setTimeout(()=>done(false),missed<
MAX_MISSED&&!isHiddenPage(document)?SLOW_FRAME_MS:FRAME_MS2)});if(isDrawn3)noteFrame(performance.now()-start2);else missed+=
1}var HANDLING_MS=100;var TIMER=/^timer (\d+) ms$/;function startWriting({selector,action,value,until,approved,isAhead=false}){
guard?.disarm();const found=Date.now()>until?null:singleTarget(selector);if(!found)return{state:"unsure"};const answer3={
state:"unready",healed:found.healed||void 0,...found.seen};const field=isAhead?null:drawnEditorField(found.target);const{
control}=found.target;if(field&&action==="fill"){openEditor(found.target,field);return{...answer3,state:"editor"}}if(field&&
field!==control)return answer3;if(!isWritable(found.target,action)||action==="fill"&&!canHold(control,value))return answer3;
const isSetByValue=action==="fill"&&SET_BY_VALUE.test(control.type);if(isSetByValue&&(isAhead||control.type==="range"&&value!==
""))return answer3;const isApproved=()=>isAsApproved(found.target.element,approved??null);const watching=startGuard(found.
target,[-1,-1],"write",found.entry,isApproved);if(isSetByValue){control.focus();dispatchChange(control,()=>control.value=
value.trim());return{...answer3,state:"done"}}if(action==="fill"){watching.text=value;selectAll(control)}else if(!focusAtEnd(
control)){watching.disarm();return answer3}return{...answer3,state:"ready",notice:watching.notice.id}}function isWritable(target2,action){
const{visible,enabled,editable,kind}=controlState(target2);if(!isPlain(target2)||!visible||!enabled)return false;if(action===
"fill")return kind==="text"&&editable;return action==="press"||editable||kind!=="text"}async function finishWriting({selector,
wanted,reads,waits,next,isBehind:isBehind3=false}){const current=guard;if(!current)return NO_GUARD;if(isBehind3)await new Promise(
done=>current.waitForInput(done));const isThere=current.stopped.size||current.hasInput&&contentOf(current.target.control,
wanted).landed;if(isBehind3&&!isThere)return{landing:"early"};if(reads)await new Promise(nextTask);if(!current.isSettled())
await new Promise(waits?nextFrame:nextTask);if(reads)await handledInput(current.startedAt);noteCaret();const report=current.
report();const control=reads?writtenTo(current,selector):null;const content=control&&writtenContentOf(control,wanted);return{
...report,content,next:finishGuard(current,next,current.isDone()&&(!wanted||content?.landed===true))}}async function selectionHeard(begin){
await nextFrame2();await handledInput(begin);return null}async function handledInput(begin){const until=Date.now()+HANDLING_MS;
for(let left=HANDLING_MS;left>0;left=until-Date.now()){const delays=(activityOf(begin,Date.now())??[]).flatMap(item=>TIMER.
exec(item)?.slice(1)??[]).map(Number);const short=delays.filter(delay=>delay<=HANDLING_MS);if(short.length===0)return;await new Promise(
done=>setTimeout(done,Math.min(left,...short)))}}function writtenTo({target:target2},selector){return isConnected(target2.
control)?target2.control:singleTarget(selector)?.target.control??null}var MAX_EDITOR_LEVELS=3;var MAX_FRAMES=30;var LONGEST_TEXT2=1e4;
function drawnEditorField({element,control}){if(editContextOf(control))return control;if(tagOf(control)==="textarea")return isHiddenField(
control)?control:null;if(controlKind(control)!=="other"||!isShown(element))return null;let holder=element;for(let level=0;holder&&
level<MAX_EDITOR_LEVELS&&areaOf3(element)*2>areaOf3(holder);level++){const fields2=queryAll(holder,"textarea, input, sel\
ect, button, [contenteditable]");if(fields2.length>0)return fields2.length===1&&tagOf(fields2[0])==="textarea"&&isHiddenField(
fields2[0])?fields2[0]:null;holder=parentOrHostOf(holder)}return null}function focusTarget(target2){const field=drawnEditorField(
target2);if(!field||field===target2.control)return focusAtEnd(target2.control);const had=matches(field,":focus");field.focus();
if(!matches(field,":focus"))return false;return had||"editor"}function areaOf3(element){const{width,height}=boxOf(element);
return width*height}function isHiddenField(field){return isForEditor(field)&&!isDisabled(field)&&!isInert(field)}var editor=null;
function openEditor(target2,field){editor={target:target2,field};field.focus()}async function writeInEditor({value,isWritten}){
if(!editor)return null;const{target:target2,field}=editor;if(!matches(field,":focus"))return{landed:false,value:contentIn(
field)};if(!isWritten&&!isPasted(field,value))return{isLeft:true};editor=null;return drawnContent(target2,field,value)}function contentIn(field){
return String(editContextOf(field)?.text??field.value??"")}function isPasted(field,text){const clipboardData=new DataTransfer;
clipboardData.setData("text/plain",text);return!field.dispatchEvent(new ClipboardEvent("paste",{bubbles:true,cancelable:true,
composed:true,clipboardData}))}async function drawnContent({element,control},field,value){let drawn=element;while(drawn&&
(drawn===control||boxOf(drawn).height<=MAX_FIELD_HEIGHT))drawn=parentOrHostOf(drawn);const last=withoutSpaces(value.trimEnd().
split("\n").at(-1)??"");const isDrawn3=()=>[textContentOf(drawn??element),contentIn(field)].some(text=>withoutSpaces(text).
includes(last));for(let frame=0;frame<MAX_FRAMES&&(frame<2||!isDrawn3());frame++)await nextFrame2();const landed=isDrawn3();
return{landed,value:(landed?value:contentIn(field)).slice(0,LONGEST_TEXT2)}}function withoutSpaces(text){return text.replace(
/[\s\u200b-\u200d\ufeff]+/gu,"")}function choose2({selector,values,until}){guard?.disarm();const found=Date.now()>until?
null:singleTarget(selector);if(!found)return{state:"unsure"};const answer3={state:"unready",healed:found.healed||void 0,
...found.seen};const{control}=found.target;const{visible,enabled,kind}=controlState(found.target);if(!visible||!enabled||
kind!=="select")return answer3;const{indexes,missing:missing3,disabled,multiple,chosen}=optionsOf(control,values);if(missing3.
length||disabled.length||values.length>1&&!multiple)return answer3;const wanted=[...new Set(indexes)].sort((one,other)=>one-
other);startGuard(found.target,[-1,-1],"write",found.entry);if(String(wanted)===String(chosen))return{...answer3,state:"\
already"};dispatchChange(control,()=>pick(control,wanted));return{...answer3,state:"done"}}function pick(control,indexes){
control.selectedIndex=-1;for(const index of indexes)control.options[index].selected=true}async function finishChoosing({
selector,values,next,isBehind:isBehind3=false}){const current=guard;if(isBehind3&&(!current||current.isExpired))return{landing:"\
early"};if(!current)return{...NO_GUARD,choice:null};await new Promise(nextTask);const report=current.report();const control=writtenTo(
current,selector);const choice=control&&controlKind(control)==="select"?optionsOf(control,values):null;return{...report,
choice,next:finishGuard(current,next,current.isDone()&&hasChosen(choice))}}function hasChosen(choice){return choice!==null&&
String([...new Set(choice.indexes)].sort((one,other)=>one-other))===String(choice.chosen)}var MOVED2=new Set(["slider","\
scrollbar","separator"]);function sliderOf(control){const now=numberIn(control,"aria-valuenow");if(now===null||tagOf(control)===
"input"||!hasRoleIn(MOVED2,roleOf(control)))return null;return{now,min:numberIn(control,"aria-valuemin"),max:numberIn(control,
"aria-valuemax")}}function numberIn(control,attribute){const number=Number.parseFloat(attributeOf(control,attribute)??"");
return Number.isFinite(number)?number:null}function approach(control,value){if(tagOf(control)!=="input"||control.type!==
"range"||control.step==="any"||value==="")return null;const probe=control.cloneNode();probe.value=value.trim();const wanted=probe.
value;if(wanted===control.value)return null;probe.stepDown();const isBelow=probe.value!==wanted;if(!isBelow)probe.stepUp();
if(probe.value===wanted)return null;control.focus();control.value=probe.value;control.dispatchEvent(new Event("input",{bubbles:true,
composed:true}));return{key:isBelow?"ArrowUp":"ArrowDown",wanted}}PREPARATIONS.set("startWriting",startWriting);QUESTIONS.
set("focus",focusTarget);QUESTIONS.set("slider",({control})=>sliderOf(control));QUESTIONS.set("approach",({control},value)=>approach(
control,value));function leaveField(){const field=fieldInFocus();if(field&&attributeOf(field,"aria-expanded")!=="true")field.
blur();return{}}var TooLarge=class extends Error{constructor(size,unit="bytes"){super("too large");this.size=size;this.unit=unit}};var NOT_ASCII=/[^\x00-\x7f]/;
var Budget=class _Budget{constructor(limit){this.limit=limit;this.used=0;this.encoder=new TextEncoder}charge(text){const isOver3=this.
used+text.length>this.limit;this.weigh(isOver3||!NOT_ASCII.test(text)?text.length:this.encoder.encode(text).length);return text}weigh(bytes){
this.used+=bytes;if(this.used>this.limit)throw new TooLarge(this.used)}rest(){const rest=new _Budget(this.limit);rest.used=
this.used;return rest}};function withinBudget(limit,make){const budget=new Budget(limit);try{const about2={url:budget.charge(
urlOf(document)),title:budget.charge(titleOf(document))};return{...about2,...make(budget)}}catch(error){if(error instanceof
TooLarge)return{exceeded:error.size,unit:error.unit};throw error}}var ASIDE="nav, aside, body > footer, [role=navigation], [role=complementary], [role=contentinfo], :is([class*=breadcrum\
b], [class*=sidebar]):not(body, :has(main, [role=main], h1)), a[href^='#'][class*=skip]";var ADVERT=/(?<=^|[\s_-])(ad|ads|advert|advertisement|adslot|sponsor|sponsored|anzeige|werbung|publicite|publicidad|reklame?|mainos)(?=[\s_-]|$)/gi;
var NO_SPOTS=new Set;var EMPTY_LIST=[""].slice(1);var NAMING_TAGS=new Set(["dt","th","label","b","strong","legend","capt\
ion"]);var NAMING_CLASS=/(label|key|term|caption|heading|head|title|name|prop|field|legend|lbl|^k)$/i;var NAMING_PART=/[_-](label|lbl)$/i;
var HEADING=/^h[1-6]$/;var SCREEN_READER_ONLY=/(^|[\s_-])(sr-only|sronly|visually-?hidden|visuallyhidden|screen-reader(-text)?|screenreader|assistive|a11y|clipped|offscreen|u-hidden)([\s_-]|$)/i;
var HELP=/(^|[\s_-])(placeholder|helper-?text|help-?text|help-?block|form-text|field-?hint)([\s_-]|$)/i;var MAX_CELL2=4e3;
var MAX_LABEL=48;var MAX_HEADING=500;var VALUE_ATTRIBUTE=/^data-(?!testid|test|v-|react|bs-|toggle|target|index|track|analytics|cy$|qa)[a-z][a-z_-]*$/;
var ICONS2=/(^|[\s_-])(star|stars|icon|rating|check|tick|flag|fa|badge|dot|status)([\s_-]|$)/i;var BY="by|von|par|por|di\
|door|av|af|przez";var CHANGE=/^\(?(?:[+−–-]\s?\d[\d.,]*\s?(?:%|pp\b)|[▲▼△▽▴▾↑↓↗↘⬆⬇]\s?[+−–-]?\s?\d)/;
var WORDLIKE=/\p{L}/u;var SKIPPED_TAGS=new Set("script style noscript template head svg iframe object embed canvas datal\
ist map area base title option optgroup col colgroup frame frameset math rp".split(" "));var PHRASING_TAGS=new Set("a ab\
br b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s samp small span strike strong sub sup ti\
me tt u var ruby rb rt wbr nobr button".split(" "));var CONTROLS2=new Set(["input","select","textarea","meter","progress"]);
var MEDIA2=new Set(["audio","video"]);var MAX_FORMED=40;var TEXTUAL=Symbol("text");var META=Symbol("meta");function newForm(){return{next:null,lastSign:void 0,
lastForm:void 0,count:0,shape:void 0,clusters:void 0,starts:void 0,sign:void 0,dullAmong:void 0,isTelling:void 0,isEven:void 0,
nesting:void 0,kin:void 0}}function formOf2({tag,style,kids,hasText,isMeta}){let form=getOrCompute(style.forms,tag,newForm);
form.count++;if(kids.length>MAX_FORMED)return newForm();if(isMeta)form=extended(form,META);if(hasText)form=extended(form,
TEXTUAL);for(let at=0;at<kids.length;at++)form=extended(form,kids[at].form);return form}function signCounts(){const counts=new Map;
for(const{classes,forms}of[PLAIN,...styles.values()]){for(const[tag,{count}]of forms){const sign=signOf({tag,classes});counts.
set(sign,(counts.get(sign)??0)+count)}}return counts}function extended(form,sign){if(form.lastSign!==sign){form.lastForm=
getOrCompute(form.next??=new Map,sign,newForm);form.lastSign=sign}return form.lastForm}var MAX_MARKUPS=64;var markups=new Map;
var newList=()=>[];function markupOf(tag,names){const known3=getOrCompute(markups,tag,newList);for(let at=0;at<known3.length;at++)
if(areSame(known3[at].names,names))return known3[at];const has=name=>names.includes(name);const isMeta=tag==="meta"||tag===
"link";const markup={tag,names,isPassedOver:SKIPPED_TAGS.has(tag),isMeta,isOpen:!isMeta&&!CONTROLS2.has(tag)&&!MEDIA2.has(
tag),isClassed:has("class"),isLink:tag==="a"&&has("rel"),isHost:canHostShadow(tag),isMarked:has("data-ad"),hasRole:has("\
role"),readers:void 0};if(known3.length<MAX_MARKUPS)known3.push(markup);return markup}function areSame(one,other){if(one.
length!==other.length)return false;for(let at=0;at<one.length;at++)if(one[at]!==other[at])return false;return true}var SHAPELESS=newForm();
var styles=new Map;var PLAIN={classes:[],text:"",dotted:"",isIcon:false,isHeardOnly:false,isHelp:false,isNaming:false,adverts:EMPTY_LIST,
forms:new Map};function styleOf(named){return named?getOrCompute(styles,named,newStyle):PLAIN}function newStyle(named){const classes=named.
split(SPACES).filter(Boolean);const text=classes.join(" ");if(!text)return PLAIN;const adverts=text.toLowerCase().match(
ADVERT)??EMPTY_LIST;const[isIcon,isHeardOnly,isHelp]=[ICONS2,SCREEN_READER_ONLY,HELP].map(pattern2=>pattern2.test(text));
return{classes,text,dotted:`.${classes.join(".")}`,isIcon,isHeardOnly,isHelp,isNaming:NAMING_CLASS.test(classes[0])||classes.
some(name=>NAMING_PART.test(name)),adverts,forms:new Map}}function signOf({tag,classes}){return classes.length?`${tag}.${classes[0]}`:
tag}var TABULAR=new Set(["table","thead","tbody","tfoot","tr"]);var MAX_SPOTS=12e4;var MAX_SPOT_DEPTH=400;var WALK_MS=4e3;var MAX_TWICE=4;
var MACHINE="[itemprop], [property]";var MAIN="main, [role=main], #main, #content, #main-content, #maincontent";var PAID_DEPTH=6;
var NOTE_MARK=/^(\[[^\]\s]{1,4}\]\s*)+$/;var[UNKNOWN,GONE,HOLLOW,BOXLESS,HOLDING,SEEN]=[0,1,2,3,4,5];var Walk=class{constructor(){
this.spots=[];this.end=performance.now()+WALK_MS;this.isCut=false;this.folds=0;this.blank=" "}enter(element,parent){const make=markupOf(
tagOf(element),hasAttributes(element)?namesIn(element):EMPTY_LIST);if(make.isPassedOver||this.isFull(parent?parent.depth+
1:0))return null;const{isMeta,isOpen:isOpen2}=make;if(isMeta&&!matches(element,MACHINE))return null;const isFolded2=make.
tag==="details"&&!hasAttribute(element,"open");const isLeaf=isOpen2&&childCountOf(element)===0;const waits=isOpen2&&!isLeaf&&
!isFolded2&&!this.folds;const shown=isMeta?SEEN:waits?UNKNOWN:this.look(element,parent);if(shown===GONE)return null;const spot=newSpot(
element,make,parent,this.spots.length,isMeta);spot.shown=shown;this.spots.push(spot);this.folds+=isFolded2?1:0;if(isOpen2)
this.fill(spot,isLeaf);if(spot.kids.length>1&&spot.kids.length<=MAX_TWICE)this.leaveOutCopy(spot);this.folds-=isFolded2?
1:0;this.settle(spot);if(spot.shown===GONE){this.spots.length=spot.id;return null}if(spot.make.isLink&&spot.shown!==HOLLOW)
markPaid(spot);spot.form=formOf2(spot);return spot}leaveOutCopy(spot){const copy=spot.kids.find(kid=>kid.kids.length&&kid.
make.names.includes("aria-hidden")&&hasAriaHidden(kid.element));if(!copy||!spot.kids.some(kid=>kid!==copy&&isWhole(kid,copy)))
return;spot.kids=spot.kids.filter(kid=>kid!==copy);spot.pieces=spot.pieces.filter(piece=>piece!==copy);this.spots.splice(
copy.id,descendantsOf(copy).length);for(let id=copy.id;id<this.spots.length;id++)this.spots[id].id=id}look(element,parent){
if(this.folds)return isStyledAway(element)?GONE:SEEN;if(checkVisibility(element,VISIBLE))return SEEN;if(parent)this.settle(
parent);if(parent?.shown===GONE||isGone(element))return GONE;return isBoxless(element)?BOXLESS:HOLLOW}settle(spot){if(spot.
shown===UNKNOWN)spot.shown=this.look(spot.element,spot.parent)}isFull(depth2){if(depth2>MAX_SPOT_DEPTH||this.spots.length>=
MAX_SPOTS)this.isCut=true;else if(this.spots.length%512===511&&performance.now()>this.end)this.isCut=true;else return false;
return true}fill(spot,isLeaf){const{element}=spot;if(spot.tag==="slot"||spot.make.isHost&&shadowOf(element)){for(const node of flatChildren(
element))if(spot.shown!==GONE)this.take(spot,node)}else if(isLeaf){this.addText(spot,textContentOf(element))}else{for(let node=firstOf(
element);node&&spot.shown!==GONE;node=nextOf(node))this.take(spot,node)}}take(spot,node){const kind=kindOf(node);if(kind===
TEXT)this.addText(spot,dataOf(node));else if(kind===ELEMENT){const kid=this.enter(node,spot);if(kid){spot.pieces=added(spot.
pieces,kid);spot.kids=added(spot.kids,kid)}if(spot.shown!==UNKNOWN||kid?.isMeta)return;if(kid&&kid.shown>=HOLDING)spot.shown=
HOLDING;else this.settle(spot)}}addText(spot,data){const text=data===this.blank?" ":collapseInnerSpaces(data);if(!text)return;
const isSolid=text!==" ";if(!isSolid)this.blank=data;if(isSolid&&(spot.shown===UNKNOWN||spot.shown===HOLDING))spot.shown=
this.look(spot.element,spot.parent);if(spot.shown===GONE||spot.shown===HOLLOW)return;spot.pieces=added(spot.pieces,text);
spot.hasText||=isSolid}};function newSpot(element,make,parent,id,isMeta){const style=make.isClassed?styleOf(attributeOf(
element,"class")):PLAIN;const depth2=parent?parent.depth+1:0;return{id,element,tag:make.tag,make,style,classes:style.classes,
parent,depth:depth2,pieces:EMPTY_LIST,kids:EMPTY_LIST,hasText:false,isMeta,shown:SEEN,isPaid:false,peers:0,form:SHAPELESS,
looseText:void 0,text:void 0,around:void 0,label:void 0,adverts:void 0,bare:void 0}}function added(list,item){if(list.length===
0)return[item];list.push(item);return list}function markPaid(link){if(!attributeOf(link.element,"rel")?.includes("sponso\
red"))return;for(let ancestor=link,steps=0;ancestor&&steps<PAID_DEPTH;ancestor=ancestor.parent,steps++)ancestor.isPaid=true}
function isGone(element){const style=getComputedStyle(element);return style.display==="none"||!style.display||style.opacity===
"0"||style.contentVisibility==="hidden"}function isStyledAway(element){const style=getComputedStyle(element);return style.
display==="none"||style.visibility!=="visible"||style.opacity==="0"}function isBoxless(element){return getComputedStyle(
element).display==="contents"&&getComputedStyle(element).visibility==="visible"}function textOfSpot(spot){return spot.text??=
spot.pieces.length<2&&spot.kids.length===0?looseTextOf(spot).trim():collapseSpaces(looseTextOf(spot))}function looseTextOf(spot){
return spot.looseText??=joinPieces(spot.pieces)}function joinPieces(pieces){let text="";for(let at=0;at<pieces.length;at++){
const piece=pieces[at];text=typeof piece==="string"?text+piece:addTo(text,piece)}return text}function addTo(text,spot){const more=looseTextOf(
spot);if(spot.tag==="br"||spot.tag==="hr")return`${text} `;if(spot.tag==="sup"&&NOTE_MARK.test(more.trim()))return text;
if(areCents(spot.element,more.trim(),text))return`${text.trimEnd()}.${more.trim()}`;return PHRASING_TAGS.has(spot.tag)?text+
more:`${text} ${more} `}function isWhole(spot,copy){const[text,painted,digits]=[textOfSpot(spot),textOfSpot(copy),digitsIn(
textOfSpot(copy))];const isSame2=text.match(/\d[\d.,]*/g)?.some(number=>digitsIn(number)===digits)&&isInPieces(copy,digits);
return Boolean(isSame2)&&painted.split(/[\d\s.,]+/).every(word=>text.includes(word))}function isInPieces(spot,digits){const inner2=spot.
kids.find(kid=>digitsIn(textOfSpot(kid))===digits);return inner2?isInPieces(inner2,digits):spot.kids.some(kid=>digitsIn(
textOfSpot(kid)))}function digitsIn(text){return text.replace(/\D+/g,"")}function descendantsOf(spot){const found=[];const stack=[
spot];while(stack.length){const next=stack.pop();found.push(next);for(let at=next.kids.length-1;at>=0;at--)stack.push(next.
kids[at])}return found}function mainsIn(top){const mains=descendantsOf(top).filter(({element})=>matches(element,MAIN));const isTrue=mains.
some(main=>descendantsOf(main).some(({tag})=>tag==="h1"));return new Set(isTrue?mains:[])}function isTabular(spot){return TABULAR.
has(spot.tag)}function areRows(one,other){const isAlike=one.tag===other.tag&&one.kids.length===other.kids.length&&one.hasText===other.
hasText;return isAlike&&[one,other].every(({pieces})=>pieces.filter(piece=>typeof piece==="string"?piece.trim():textOfSpot(
piece)).length>1)}function neighbour(pieces,place,step){for(let at=place+step;at>=0&&at<pieces.length;at+=step){const piece=pieces[at];
if(typeof piece==="string"?piece.trim():!piece.isMeta&&(textOfSpot(piece)||CONTROLS2.has(piece.tag)))return piece}return null}var KNOWN_BY_FORM=new Set(["email","tel","url","search"]);var SEARCH="search, [role=search], form[class*=search i], form\
[class*=filter i]";var ASKS2=new RegExp("^([-–—]+[^-–—]*[-–—]+|[-–—]+\\s.*|(please )?(select|choose|pick)( (a|an|one|your\
|the|from|option|some)\\b.*)?\\W*|(please )?(select|choose) .*(…|\\.{3})|(bitte )?(aus)?wählen\\W*|bitte .*wählen\\W*|(sélect\
ionne[rz]|choisi(r|ssez))\\b.*|(seleccion[ae]|elij[ae]|selecione|escolha|seleziona|scegli|wybierz|kies|selecteer|välj|vel\
g|vælg)\\b.*)$","i");var CONTROLS_WITH_TEXT=new Set(["select","textarea","datalist"]);function emit(take3,kind,text){if(text)
take3(kind,text.length>MAX_CELL2?text.slice(0,MAX_CELL2):text)}function readControl(spot,take3){const{element,tag}=spot;
if(tag==="meter"||tag==="progress"){emit(take3,"value",attributeOf(element,"value")??"");return}if(isSecret(element))return;
if(tag==="input"&&(element.type==="checkbox"||element.type==="radio")){emit(take3,"checked",element.checked?"true":"fals\
e");if(element.type==="radio"&&element.checked)emit(take3,"text",collapseSpaces(controlLabel(element))||element.value);return}
if(tag==="input"&&VALUELESS.has(element.type))return;const value=tag==="select"?chosenText(element):enteredText(element);
emit(take3,"text",tag==="textarea"?value.trim():collapseSpaces(value))}function controlLabel(control){return labelElementsOf(
control).map(textBesideControls).join(" ")}function controlName(control){const group=control.type==="radio"&&closest(control,
"fieldset, [role=radiogroup], [role=group]");return group?nameOf(group):ownName(control)}function ownName(control){const named=controlLabel(
control)||attributeOf(control,"aria-label")||attributeOf(control,"placeholder")||"";return collapseSpaces(named)||referenced(
control,"aria-labelledby").map(it=>collapseSpaces(openTextOf(it))).join(" ")}function emptyField(spot){const{element,tag}=spot;
const isField5=CONTROLS2.has(tag)&&!VALUELESS.has(element.type)&&!KNOWN_BY_FORM.has(element.type);if(!isField5||closest(
element,SEARCH))return"";let isEmpty2=true;readControl(spot,()=>isEmpty2=false);const name=isEmpty2?collapseSpaces(controlLabel(
element)):"";return name.includes(" ")?name:""}function chosenText(list){const chosen=[...list.selectedOptions].filter(option=>attributeOf(
option,"value")!==""&&!(option.index===0&&ASKS2.test(option.label.trim())));return chosen.map(option=>collapseSpaces(option.
label)).join(", ")}function isOfField({element}){const{control}=element;return Boolean(control)&&!VALUELESS.has(control.
type)&&tagOf(control)!=="button"}function textBesideControls(element){let text="";for(let node=firstOf(element);node;node=
nextOf(node)){if(kindOf(node)===TEXT)text+=dataOf(node);else if(kindOf(node)===ELEMENT&&!CONTROLS_WITH_TEXT.has(tagOf(node)))
text+=textBesideControls(node)}return text}function choiceName(spot){const group=closest(spot.element,"fieldset, [role=r\
adiogroup], [role=group]");if(group)return nameOf(group);let holder=spot;while(holder.parent&&radiosIn(holder)<2)holder=
holder.parent;while(holder.parent&&radiosIn(holder.parent)===radiosIn(holder)&&textOfSpot(holder.parent)===textOfSpot(holder))
holder=holder.parent;const{pieces}=holder.parent??holder;const before2=neighbour(pieces,pieces.indexOf(holder),-1);return before2===
null?"":typeof before2==="string"?before2:textOfSpot(before2)}function radiosIn(spot){return descendantsOf(spot).filter(
isRadio).length}function isRadio({element}){return element.type==="radio"||attributeOf(element,"role")==="radio"}function isChoice({
make}){return make.names.includes("aria-checked")||make.names.includes("aria-pressed")}function isChosen({element}){return(attributeOf(
element,"aria-checked")??attributeOf(element,"aria-pressed"))?.toLowerCase()==="true"}var DIVIDED=/[#:：|·•–—/∙⋅›»(]/;var BARE_NUMBER=/^\W?\d[\d.,:/ ]*\D?$/;var MARK=/[|·•∙⋅]/;var SEPARATOR=/\s+[|·•–—/∙⋅›»]\s+|\s*[|·•∙⋅]\s*/;
function partsOf(text){if(text.length>240||!SEPARATOR.test(text))return[];const parts=text.split(SEPARATOR).map(collapseSpaces).
filter(Boolean);if(!MARK.test(text)&&(parts.every(part=>/\d/.test(part))||parts.some(part=>BARE_NUMBER.test(part))))return[];
return parts.length>1&&parts.length<=8?parts:[]}var MAX_HINT=80;var MAX_STRUCK=40;var MAX_DATA=200;var VALUE_TAGS=new Set("a h1 h2 h3 h4 h5 h6 p li dd dt td th time add\
ress figcaption blockquote button caption legend cite".split(" "));var HELP_TAGS=new Set(["mat-hint","mat-error"]);var LAZY_ATTRIBUTES=[
"data-src","data-lazy-src","data-original","data-lazy","data-image"];var PREFIX=/^([^:：]{1,40}?)\s*[:：]\s*(\S[^]*)$/;
var ABSOLUTE=/^https?:\/\/\S+$/i;var ODD_PATH=/^[^\w~/]|[^\w~!$&()*+,;=@./-]|\/[/.]/;var PATH=/^(?!.*\/[/.])[\w~/][\w~!$&()*+,;=@./-]*(\?[\w~!$&()*+,;=@./:?-]*)?$/;
function valuesOf(spot){const values=[];readValues(spot,(kind,text)=>values.push({spot,kind,text}));return values}function readValues(spot,take3){
if(!spot.make.isOpen&&CONTROLS2.has(spot.tag))readControl(spot,take3);else if((spot.form.isTelling??=hasValueText(spot))&&
(!isChoice(spot)||isChosen(spot)))emit(take3,"text",textOfSpot(spot));const readers=readersOf(spot.make);for(let at=0;at<
readers.length;at++){const{name,kind,read:read2}=readers[at];emit(take3,kind,read2(attributeOf(spot.element,name),spot.element))}
if(spot.style.isIcon&&!spot.isMeta&&!CONTROLS2.has(spot.tag))emit(take3,"class",iconClasses(spot))}function hasValueText(spot){
if(spot.style.isHelp||HELP_TAGS.has(spot.tag))return false;if(spot.hasText)return true;if(spot.kids.length>1&&spot.kids.
some(kid=>isChoice(kid)||kid.style.isHelp))return false;if(spot.tag==="li"||spot.tag==="td"||spot.tag==="dd")return isPhrase(
spot,3);if(VALUE_TAGS.has(spot.tag))return spot.kids.length>0&&isPhrase(spot,4);return spot.kids.length>1&&isPhrase(spot,
2)}function isPhrase(spot,depth2){return depth2>=0&&spot.kids.every(kid=>PHRASING_TAGS.has(kid.tag)&&isPhrase(kid,depth2-
1))}function readersOf(make){return make.readers??=newReaders(make)}function newReaders({tag,names}){const readers=tag===
"img"?[{name:"src",kind:"src",read:imageOf2}]:[];const isMachine=names.includes("itemprop")||names.includes("property");
const isNamed2=tag==="button"||CONTROLS2.has(tag);for(const name of names){const add2=(kind,read2)=>readers.push({name,kind,
read:read2});if(name==="href"&&(tag==="a"||tag==="link"))add2("href",addressOf2);else if(name==="src"&&MEDIA2.has(tag))add2(
"href",addressOf2);else if(name==="datetime"||name==="content"&&isMachine||name==="value"&&tag==="data")add2(name,text=>text.
trim());else if(name==="alt"||name==="title")add2(name,isNamed2?withDigits:collapseSpaces);else if(name==="aria-label")add2(
"aria",isNamed2?withDigits:collapseSpaces);else if(name==="aria-checked"||name==="aria-pressed")add2("checked",text=>text.
toLowerCase());else if(tag==="button"&&name==="disabled")add2("disabled",(_,element)=>collapseSpaces(textContentOf(element)));else if(name===
"aria-disabled"&&(tag==="button"||tag==="a"))add2("disabled",(text,element)=>text==="true"?collapseSpaces(textContentOf(
element)):"");else if(name==="aria-valuenow")add2("value",text=>text);else if(VALUE_ATTRIBUTE.test(name))add2(name,text=>text.
length<MAX_DATA?collapseSpaces(text):"")}return readers}function withDigits(text){return/\d/.test(text)?collapseSpaces(text):
""}function imageOf2(written2,element){const src=written2?.trim();if(src&&!src.startsWith("data:"))return addressOf2(src);
const named=name=>attributeOf(element,name)?.trim()??"";const late=LAZY_ATTRIBUTES.map(named).find(Boolean)||(named("src\
set")||named("data-srcset")).split(/[\s,]+(?=\S)/)[0];return late?addressOf2(late):""}function iconClasses(spot){if(textOfSpot(
spot)||spot.kids.some(kid=>kid.hasText||kid.kids.length>0))return"";return[spot.style.text,...spot.kids.map(kid=>kid.style.
text)].join("|").slice(0,300)}function addressOf2(value){if(value&&!ODD_PATH.test(value))return resolved(value);const written2=value.
trim();if(PATH.test(written2))return resolved(written2);if(!written2||ABSOLUTE.test(written2))return written2;if(/^javascript:/i.
test(written2))return"";return URL.parse(written2,addresses.base)?.href??written2}function resolved(path){return(path[0]===
"/"?addresses.origin:addresses.folder)+path}var addresses={base:"",origin:"",folder:""};function locateAddresses(){const base=baseOf(
document);if(base===addresses.base)return;const[origin,folder]=["/","."].map(path=>URL.parse(path,base)?.href??"");Object.
assign(addresses,{base,origin:origin.slice(0,-1),folder})}function hintsFor(spot,kind){const hints=[];const add2=(letter,text)=>{
if(text&&hints.length<12)hints.push(letter+text.slice(0,MAX_HINT))};const read2=(name,from=spot)=>from.make.names.includes(
name)?attributeOf(from.element,name):null;if(kind==="checked"&&isRadio(spot))return hints;if(kind.startsWith("data-"))add2(
"d",kind.slice(5));add2("p",read2("itemprop"));add2("p",read2("property"));add2("r",read2("rel"));add2("n",read2("name"));
add2("i",read2("id"));for(const name of spot.classes.slice(0,4))add2("c",name);add2("c",read2("data-testid"));if(kind!==
"aria")add2("a",shortText(read2("aria-label")));if(kind==="text"||kind==="part")add2("a",shortText(read2("title")));if(MEDIA2.
has(spot.tag))add2("c",spot.tag);for(let above=spot.parent,steps=0;above&&steps<2&&above.kids.length===1;above=above.parent,
steps++){add2("p",read2("itemprop",above));add2("e",shortText(read2("title",above)??read2("aria-label",above)));for(const name of above.
classes.slice(0,3))add2("u",name)}return hints}function tagHints(spot){const hints=isStruck(spot)?["ts",`t${spot.tag}`]:
[`t${spot.tag}`];const[kid]=spot.kids;if(spot.kids.length===1&&!spot.hasText&&(kid.tag==="a"||kid.tag==="button"))hints.
push(`t${kid.tag}`);for(let above=spot.parent,steps=0,only=true;above&&steps<3;above=above.parent,steps++){only&&=above.
kids.length===1;if(only)hints.push(...isStruck(above)?["ts"]:[],`t${above.tag}`);else if(HEADING.test(above.tag)||NAMING_TAGS.
has(above.tag))return[...hints,`t${above.tag}`]}return hints}function shortText(text){return text&&text.length<=MAX_LABEL?
text:null}function isStruck(spot){const text=textOfSpot(spot);return text.length<MAX_STRUCK&&/\d/.test(text)&&getComputedStyle(
spot.element).textDecorationLine.includes("line-through")}var ENDS_WITH_COLON=/[:：]\s*$/;var STARTS_WITH_COLON=/^[:：]\s*/;var BEFORE_AUTHOR=new RegExp(`(?<!\\b(?:sort|order|gr\
oup|filter)(?:ed)? )\\b(?:${BY})\\s*$`,"i");var MAX_CLIMB=7;var LETTER_OR_DIGIT=/[\p{L}\p{N}]/u;var NAMES_ONLY=new Set([
"dt","th","label"]);function labelsFor(spot,kind,top){let labels=CONTROLS2.has(spot.tag)||isRadio(spot)?controlLabels(spot,
kind):EMPTY_LIST;if(labels.length)return labels;if(kind==="checked")labels=labelsFrom(labelOf3("k",textOfSpot(spot)),"");
if(kind==="value")labels=labelsFrom(labelOf3("k",attributeOf(spot.element,"aria-label")),"");const isControl=CONTROLS2.has(
spot.tag);for(let ancestor=spot,steps=0;ancestor&&ancestor!==top&&steps<MAX_CLIMB;ancestor=ancestor.parent,steps++){const more=ancestor.
around??=labelsAround(ancestor);labels=withMore(labels,more);if(!ancestor.parent||labels.length>3)break;const isListed2=ancestor.
tag==="dd"||ancestor.tag==="td"||ancestor.tag==="th";const isBesideHelp=isControl&&labels.length<2&&isOnlyControlIn(ancestor.
parent,spot);if(isListed2||!(isAlone2(ancestor)||ancestor.tag==="li"||isAmongEquals(ancestor)||isBesideHelp))break}return labels}
function withMore(labels,more){if(labels.length===0||more.length===0)return labels.length?labels:more;return labels.concat(
more.filter(label=>!labels.includes(label)))}function controlLabels(spot,kind){const name=isRadio(spot)&&kind==="text"?choiceName(
spot):ownName(spot.element)||textOfSpot(spot);return labelsFrom(labelOf3("k",name),"")}function labelOf3(letter,text){const words=labelIn2(
collapseSpaces(text??""));return words&&letter+words}function labelsFrom(one,other){if(one&&other)return[one,other];return one||
other?[one||other]:EMPTY_LIST}function labelIn2(text){const words=ENDS_WITH_COLON.test(text)?text.replace(ENDS_WITH_COLON,
""):text;return words.length>MAX_LABEL||!WORDLIKE.test(words)?"":words}function isAlone2(spot){const{parent}=spot;return!parent.
hasText&&parent.kids.every(kid=>kid===spot||kid.isMeta||!LETTER_OR_DIGIT.test(textOfSpot(kid)))}function isOnlyControlIn(spot,control){
const stack=[spot];for(let inner2=stack.pop();inner2;inner2=stack.pop()){if(inner2!==control&&CONTROLS2.has(inner2.tag)&&
!VALUELESS.has(inner2.element.type))return false;for(const kid of inner2.kids)stack.push(kid)}return true}function isAmongEquals(spot){
const{kids,hasText}=spot.parent;return!hasText&&kids.length>1&&kids.every(kid=>kid.tag===spot.tag&&kid.classes[0]===spot.
classes[0])}function labelsAround(spot){if(!spot.parent)return EMPTY_LIST;if(spot.tag==="dd")return labelsFrom(labelOf3(
"k",termOf2(spot)),"");const{pieces}=spot.parent;const place=pieces.indexOf(spot);const last=neighbour(pieces,place,-1);
const isLabel=last!==null&&typeof last!=="string"&&last.tag==="label"&&!isOfField(last);let before2=isLabel?last:ofText(
last);const next=neighbour(pieces,place,1);const isIconButton=next!==null&&typeof next!=="string"&&isButton(next)&&!LETTER_OR_DIGIT.
test(textOfSpot(next));const behind=isIconButton?null:ofText(next);if(before2!==null&&typeof before2!=="string"&&(hasOwnValue(
before2)||areRows(before2,spot)||isUnfilled(before2,spot)))before2=null;const isPair=behind===null&&before2!==null&&neighbour(
pieces,pieces.indexOf(before2),-1)===null;const beyond=behind===null?null:neighbour(pieces,pieces.indexOf(behind,place),
1);const isBetween=beyond!==null&&!isChange(beyond);const isNextRow=behind!==null&&typeof behind!=="string"&&areRows(spot,
behind);return labelsFrom(before2===null?"":labelBy(before2,isPair?"q":"b"),behind===null||isNextRow?"":labelBy(behind,isBetween?
"w":"a"))}var textOf2=piece=>typeof piece==="string"?piece:textOfSpot(piece);var isChange=piece=>CHANGE.test(textOf2(piece));
function ofText(piece){return piece!==null&&typeof piece!=="string"&&isOfControl(piece)?null:piece}function hasOwnValue(spot){
return!HEADING.test(spot.tag)&&splitOf(textOfSpot(spot))!==null}function isOfControl(spot){if(textOfSpot(spot).length>MAX_LABEL)
return false;return[spot,...descendantsOf(spot)].some(({tag,element})=>tag==="label"?element.control!==null:CONTROLS2.has(
tag))}function isUnfilled(name,next){if(name.tag!==next.tag)return false;if(NAMES_ONLY.has(name.tag))return true;if(ENDS_WITH_COLON.
test(textOfSpot(name)))return splitOf(textOfSpot(next))!==null;return emptyName(name)!==""&&next.kids.length===name.kids.
length&&textOfSpot(next.kids[0])!==textOfSpot(next)}function emptyName({tag,kids,hasText}){if(kids.length!==2||hasText||
kids[1].isMeta||kids[1].kids.length>0||kids[1].style.isIcon)return"";const isSlot=kids[1].tag===kids[0].tag||kids[1].tag===
"td"||kids[1].tag==="dd";return isSlot&&tag!=="a"&&tag!=="button"&&!textOfSpot(kids[1])?labelIn2(textOfSpot(kids[0])):""}
function termOf2(spot){const{kids}=spot.parent;let place=kids.indexOf(spot);while(place>=0&&kids[place].tag!=="dt")place--;
const isLinkBehind=place>=0&&isLink2(spot)&&!isLink2(kids[place+1]);return place>=0&&!isLinkBehind?textOfSpot(kids[place]):
""}function isButton({tag,element}){return tag==="button"||attributeOf(element,"role")==="button"}function isLink2({kids,
hasText}){return kids.length===1&&!hasText&&(kids[0].tag==="a"||kids[0].tag==="button")}function labelBy(piece,side){const text=textOf2(
piece);if(text.length>MAX_LABEL)return"";const isFirst=side==="b"||side==="q";if(typeof piece==="string"){const author=isFirst&&
/\d/.test(text)&&BEFORE_AUTHOR.exec(text);return labelOf3(isFirst&&ENDS_WITH_COLON.test(text)?"k":side,author?author[0]:
nearestPart(text,side))}const words=piece.label??=labelIn2(text);const letter=words&&letterOf(piece,side,isFirst,words.length<
text.length);return letter===side&&MARK.test(words)?"":letter+words}function letterOf(piece,side,isFirst,isPlain2){if(!isFirst)
return side;if(HEADING.test(piece.tag))return"h";const names=isPlain2||NAMING_TAGS.has(piece.tag)||piece.style.isNaming;
return names&&!CONTROLS2.has(piece.tag)?"k":side}function nearestPart(text,side){const parts=text.split(/[,;|·•()]/).
filter(part=>part.trim());return parts.at(side==="b"||side==="q"?-1:0)??""}function splitOf(text){if(text.length>600)return null;
const match=PREFIX.exec(text);if(!match)return null;const[,name,value]=match;const isName=WORDLIKE.test(name)&&!/\d$/.test(
name)&&!MARK.test(name);return isName&&!value.startsWith("//")?[name,value]:null}function runsOf(spot){if(!spot.hasText||
spot.kids.length===0||textOfSpot(spot).length>400)return[];const runs=[];let name="";for(const piece of spot.pieces){if(typeof piece!==
"string")name=piece.tag==="br"?"":nameIn2(piece)||name;else if(piece.trim())runs.push({text:collapseSpaces(piece).replace(
STARTS_WITH_COLON,""),name:name.length-1<=MAX_LABEL?name:""})}return runs.filter(({text})=>text!==textOfSpot(spot))}function areLinesNamed({
kids},runs){return kids.some(({tag})=>tag==="br")&&runs.slice(1).some(({text,name})=>name[0]==="k"||splitOf(text)!==null)}
function emptyLines({hasText,kids,pieces}){if(!hasText||!kids.some(({tag})=>tag==="br"))return[];const isEnd=piece=>piece===
void 0||typeof piece!=="string"&&piece.tag==="br";const isLine2=(piece,at)=>typeof piece==="string"&&ENDS_WITH_COLON.test(
piece)&&isEnd(pieces[at-1])&&isEnd(pieces[at+1]);return pieces.filter(isLine2).map(piece=>labelIn2(collapseSpaces(piece)))}
function nameIn2(spot){const text=textOfSpot(spot);if(!WORDLIKE.test(text))return"";const isPlain2=ENDS_WITH_COLON.test(
text)||NAMING_TAGS.has(spot.tag);return(isPlain2?"k":"b")+text.replace(ENDS_WITH_COLON,"")}function contextOf2(spot,first){
const labels=[];const addLabel=(letter,text)=>text&&text.length<120&&labels.push(letter+collapseSpaces(text));const within2=first&&
headWithin(spot,first);if(within2)addLabel("h",within2);const addNames=({element,classes},steps)=>{addLabel("n",attributeOf(
element,"aria-label"));for(const name of referenced(element,"aria-labelledby"))addLabel("n",openTextOf(name));addLabel("\
i",attributeOf(element,"id"));addLabel("p",attributeOf(element,"itemprop")??attributeOf(element,"property"));if(steps<3)
classes.slice(0,3).forEach(name=>addLabel("c",name))};for(let ancestor=spot,steps=0;ancestor&&steps<5;ancestor=ancestor.
parent,steps++){addNames(ancestor,steps);if(ancestor.tag==="dd")addLabel("k",termOf2(ancestor));const above=!within2&&ancestor.
parent&&headBefore(ancestor);if(above)addLabel("h",above);if(above&&ancestor.parent.kids.length===2)addNames(ancestor.parent,
steps+1);if(above||ancestor.tag==="main"||ancestor.tag==="body")break}for(const kid of spot.kids)if(kid.tag==="caption"||
kid.tag==="legend")addLabel("k",textOfSpot(kid));return labels}function headWithin(top,first){let child=first;while(child.
parent&&child.parent!==top)child=child.parent;const isOverAll=({tag})=>HEADING.test(tag)&&top.kids.filter(kid=>kid.tag===
tag).length===1;const head=top.kids.slice(0,top.kids.indexOf(child)).findLast(isOverAll);return head?textOfSpot(head):""}
function headBefore(spot){const{kids}=spot.parent;for(let place=kids.indexOf(spot)-1;place>=0;place--){const kid=kids[place];
if(HEADING.test(kid.tag)||NAMING_TAGS.has(kid.tag)||attributeOf(kid.element,"role")==="heading")return textOfSpot(kid);const inner2=kid.
kids.find(({tag})=>HEADING.test(tag));if(inner2&&kid.tag==="section"&&kid.kids.length>1)return"";if(inner2&&kid.kids.length<=
3&&textOfSpot(kid).length<200)return textOfSpot(inner2);if(kid.tag!=="p"&&textOfSpot(kid).length>200)return"";const isName=kid.
tag!=="a"&&kid.tag!=="button"&&kid.kids.length===0;if(place===kids.indexOf(spot)-1&&isName&&textOfSpot(kid).length<=MAX_LABEL)
return textOfSpot(kid)}return""}var LOOSE_END=/[\s:;,|/·•–—-]+$/;var STRUCK=new Set(["del","s","strike"]);var NAME_OF_STRUCK=/\b(was|before|formerly|regularly|regular|reg\.|old|originally|original|orig\.|list|rrp|msrp|uvp|statt|vorher|bisher|avant|antes|prima|voorheen)( price| preis)?:?\s*$/i;
var NOTE=/^(\[\w{1,3}\]|[*†‡§]+)$/;var MAX_MARKED_TEXT=300;function ownTextOf(spot,text){if(!spot.hasText||!spot.kids.
length)return text;return collapseSpaces(spot.pieces.filter(piece=>typeof piece==="string").join(" ")).slice(0,MAX_CELL2).
replace(LOOSE_END,"")}function withoutMarks(spot,text){let holder=spot;while(holder.kids.length===1&&!holder.hasText)holder=
holder.kids[0];return text.length<MAX_MARKED_TEXT&&hasMark(holder)?collapseSpaces(unmarkedText(holder)):text}function withoutStruck(spot,text){
return spot.kids.length&&text.length<MAX_MARKED_TEXT&&hasStruck(spot)?withoutMarks(spot,text)||text:text}function hasStruck(spot){
return spot.kids.some(kid=>isStruckPart(kid)||hasStruck(kid))}function hasMark(spot){return spot.kids.some(kid=>isMark(kid)||
hasMark(kid))}function isMark(spot){if(isStruckPart(spot))return true;if(spot.tag==="sup")return NOTE.test(textOfSpot(spot))||
spot.kids.some(kid=>attributeOf(kid.element,"href")?.startsWith("#"));return spot.style.isHeardOnly}function isStruckPart(spot){
return STRUCK.has(spot.tag)||isStruck(spot)}function unmarkedText(spot){let text="";for(const piece of spot.pieces){if(typeof piece===
"string")text+=piece;else if(isStruckPart(piece))text=text.replace(NAME_OF_STRUCK,"");else if(!isMark(piece))text+=PHRASING_TAGS.
has(piece.tag)?unmarkedText(piece):` ${unmarkedText(piece)} `}return text}var LABELLED=new Set(["text","own","checked","value","datetime","content"]);var MAX_SAMPLED=16;var GOLDEN=(Math.sqrt(5)-
1)/2;function newBucket(base,path,kind,name){return{base,path,kind,name,sightings:[],texts:[],labels:null,isSingle:true,
own:null,plain:null,way:""}}function putIn(bucket,sighting,text){const{sightings}=bucket;if(sightings.length&&sightings[sightings.
length-1].row>=sighting.row)bucket.isSingle=false;sightings.push(sighting);bucket.texts.push(text)}function vary(bucket,way,text,other){
if(text!==other)(bucket[way]??=new Map).set(bucket.texts.length-1,other)}function variantOf(bucket,way){const base=`${bucket.
base.slice(0,bucket.base.lastIndexOf(" "))} ${way}`;const path=`${bucket.path.slice(0,-"text".length)} ${way}`;return{...bucket,
base,path,kind:"own",way}}function textAt(bucket,at){const text=bucket.texts[at];return bucket.way?bucket[bucket.way].get(
at)??text:text}function labelsAt({kind,sightings,labels},at){if(labels)return labels[at];const{spot,root:root2}=sightings[at];
const around2=LABELLED.has(kind)?labelsFor(spot,kind,root2.spot):EMPTY_LIST;return around2.length>2&&root2.slot&&spot!==
root2.spot?around2.slice(0,2):around2}function countLabels(bucket,counts){const total=bucket.texts.length;const sampled=total<
2*MAX_SAMPLED?total:MAX_SAMPLED;for(let turn=0;turn<sampled;turn++){const labels=labelsAt(bucket,total>sampled?Math.floor(
turn*GOLDEN%1*total):turn);for(let place=0;place<labels.length;place++)increment(counts,labels[place])}if(total>sampled)
for(const[label,count]of counts)counts.set(label,Math.round(count*total/sampled))}function readingsOf(bucket){return bucket.
sightings.map((sighting,at)=>({sighting,kind:bucket.kind,text:textAt(bucket,at),labels:labelsAt(bucket,at)}))}function byRow(readings){
const rows=[];for(const reading of readings){const last=rows.at(-1);if(last?.[0].sighting.row===reading.sighting.row)last.
push(reading);else rows.push([reading])}return rows}var MAX_FIELDS=90;function unitedColumns(columns,total){const byPath2=new Map;const byLeaf=new Map;const placed=columns.
filter(({isMany,isPlace})=>isPlace&&!isMany);if(placed.every(({rows})=>rows.length===total))return EMPTY_LIST;for(const column2 of placed){
addToList(byPath2,column2.path,column2);const leaf=leafOf(column2.key);if(leaf)addToList(byLeaf,leaf,column2)}const isOfSeveralPaths=([
first,...others])=>others.some(({path})=>path!==first.path);const alike=[...byPath2.values(),...[...byLeaf.values()].filter(
isOfSeveralPaths)];return alike.filter(group=>group.length>1&&group.length<12).flatMap(group=>unite(group,total))}function leafOf(key){
const steps=key.split(">");const last=steps.findLastIndex(step=>/^[\w-]+\./.test(step));const isStruck2=steps.some(step=>/^(del|s|strike)[. ]/.
test(`${step} `));return last<1?"":`${isStruck2?"struck ":""}${steps.slice(last).join(">")}`}function unite(group,total){
const left=group.filter(({rows})=>rows.length<total);const made=[];while(left.length>1){const first=left.shift();const shares=other=>[
...other.classes].filter(name=>first.classes.has(name)).length;const others=[...left].sort((one,two)=>shares(two)-shares(
one));const parts=[first];const rows=new Set(first.rows);for(const other of others){if(other.rows.some(row=>rows.has(row)))
continue;other.rows.forEach(row=>rows.add(row));parts.push(other);left.splice(left.indexOf(other),1)}if(parts.length>1)made.
push(joinedColumn(parts))}return made}function joinedColumn(parts){const cells=parts.flatMap(({rows:rows2,texts:texts2,spots:spots2})=>rows2.
map((row,at)=>[row,texts2[at],spots2[at]]));cells.sort((one,two)=>one[0]-two[0]);const[rows,texts,spots]=[0,1,2].map(part=>cells.
map(cell=>cell[part]));const labels=new Map(parts.flatMap(part=>[...part.labels]));return{...parts[0],key:`${parts[0].key}\
+`,labels,hints:parts.flatMap(part=>part.hints).slice(0,16),rows,texts,spots}}function mostComplete(columns){if(columns.
length<=MAX_FIELDS)return columns;const standing=column2=>Number(column2.isPlace||column2.isMany||false);const ranked=[...columns].
sort((one,two)=>standing(two)-standing(one)||two.rows.length-one.rows.length);const kept=new Set(ranked.slice(0,MAX_FIELDS));
return columns.filter(column2=>kept.has(column2))}var MIXED=/^(.*>[\w-]+\.[^.>\s]+)\.[^>\s]+ (text|aria|title|alt|href|src)$/;var NUMBERED=/^(#\d+)\s/;var ENCLOSED=/^([^()]*[^()\s])\s*\(([^()]{1,40})\)$/;
var FIRST=/^(.* text)(\/0|=0|\(0)$/;var MAX_SEEN=62500;var MAX_NOTED=25e4;var Columns=class{constructor(layouts){this.layouts=
layouts;this.byKey=new Map;this.bases=new Map;this.places=new Set;this.rows=[];this.seen=0;this.noted=0}add(roots){const row=this.
rows.length;this.rows.push(row);for(const root2 of roots)this.visitSpot(row,root2.spot,this.layouts.of(root2),root2)}visitSpot(row,spot,{
place,kids},root2){if(this.seen>=MAX_SEEN)return;if(place.sightings.length===0)this.places.add(place);place.sightings.push(
{turn:this.seen++,row,spot,root:root2});if(root2.isShell)return;for(let at=0;at<kids.length;at++)if(kids[at])this.visitSpot(
row,spot.kids[at],kids[at],root2)}readPlace(place){let sighting;let isNamed2=false;const take3=(kind,text)=>{if(!isNamed2||
kind!=="text")this.note(place,sighting,kind,text)};for(sighting of place.sightings){const{spot,root:root2}=sighting;isNamed2=
spot===root2.spot&&root2.slot!=="";if(isNamed2&&!root2.isShell&&textOfSpot(spot))this.note(place,sighting,"whole",textOfSpot(
spot));readValues(spot,take3)}}note(place,sighting,kind,text){if(this.noted++>=MAX_NOTED)return;const isText=kind==="tex\
t"||kind==="whole";const bucket=this.bucket(place,kind,isText?"text":kind);putIn(bucket,sighting,text);if(!isText)return;
const{spot}=sighting;if(spot.kids.length){vary(bucket,"own",text,ownTextOf(spot,text));vary(bucket,"plain",text,withoutMarks(
spot,text))}if(DIVIDED.test(text)||spot.hasText&&spot.kids.length)this.split(bucket.base,place.plain,sighting,text)}bucket({
named,plain:plain2,buckets},name,kind){for(let at=0;at<buckets.length;at++)if(buckets[at].name===name)return buckets[at];
const bucket=this.bucketOf(`${named} ${name}`,plain2+kind,kind,name);buckets.push(bucket);return bucket}bucketOf(base,path,kind,name=""){
return getOrCompute(this.bases,base,()=>newBucket(base,path,kind,name))}split(base,plain2,sighting,text){const runs=runsOf(
sighting.spot);const whole=HEADING.test(sighting.spot.tag)||areLinesNamed(sighting.spot,runs)?null:splitOf(text);const parts=partsOf(
text);const enclosed=text.length<MAX_MARKED_TEXT?ENCLOSED.exec(text):null;const numbered=NUMBERED.exec(text);if(!whole&&
!enclosed&&!numbered&&parts.length===0&&runs.length===0)return;const addPart=(suffix,part,labels)=>{const bucket=this.bucketOf(
base+suffix,plain2+suffix,"part");putIn(bucket,sighting,part);(bucket.labels??=[]).push(labels)};const named=(part,suffix,pair=splitOf(
part))=>{if(pair)addPart(`:${pair[0]}`,pair[1],[`k${pair[0]}`]);else if(suffix)addPart(suffix,part,EMPTY_LIST)};named(text,
"",whole);parts.forEach((part,place)=>named(part,`/${parts.length>1?place:""}`));if(numbered)addPart("/#",numbered[1],["\
knumber"]);if(enclosed)[1,2].forEach(at=>addPart(`(${at-1}`,enclosed[at],EMPTY_LIST));runs.forEach(({text:run,name},place)=>{
if(name)addPart(`=${name[0]==="k"?name:place}`,run,[name]);else named(run,`=${place}`)})}finish(){for(const place of this.
places)this.readPlace(place);const buckets=[...this.bases.values()].sort((one,two)=>one.sightings[0].turn-two.sightings[0].
turn);for(const bucket of buckets){this.read(bucket);if(bucket.own)this.read(variantOf(bucket,"own"));if(bucket.plain)this.
read(variantOf(bucket,"plain"))}this.mixed(buckets);this.firsts();const columns=[...this.byKey.values()];return mostComplete(
columns.concat(unitedColumns(columns,this.rows.length)))}read(bucket){const{base,path,kind,sightings,isSingle}=bucket;if(!isSingle){
this.several(base,path,byRow(readingsOf(bucket)));return}if(this.byKey.has(base))return;const column2=newColumn(base,path,
sightings[0],kind,false,kind!=="part");column2.rows=sightings.length===this.rows.length?this.rows.slice():sightings.map(
({row})=>row);column2.texts=bucket.way?bucket.texts.map((_,at)=>textAt(bucket,at)):bucket.texts.slice();column2.spots=sightings.
map(({spot})=>spot.id);countLabels(bucket,column2.labels);this.byKey.set(base,column2)}firsts(){for(const[key,part]of[...this.
byKey]){const whole=this.byKey.get(FIRST.exec(key)?.[1]??"");if(!whole||part.isMany||part.rows.length>=whole.rows.length||
part.rows.length*2<whole.rows.length)continue;const known3=new Set(part.rows);const isLeft=(_,at)=>!known3.has(whole.rows[at]);
const[rows,texts,spots]=[whole.rows.filter(isLeft),whole.texts.filter(isLeft),whole.spots.filter(isLeft)];this.byKey.set(
`${key}&`,joinedColumn([part,{...part,labels:new Map,hints:[],rows,texts,spots}]))}}mixed(all){const byKind=new Map;for(const bucket of all){
const found=MIXED.exec(bucket.base);if(found)addToList(byKind,`${found[1]} ${found[2]}*`,bucket)}for(const[key,buckets]of byKind){
if(buckets.length<2)continue;const readings=buckets.flatMap(readingsOf);readings.sort(({sighting:one},{sighting:two})=>one.
row-two.row||one.spot.id-two.spot.id);for(const reading of readings)this.cell(key,buckets[0].path,reading,true)}}several(base,path,rows){
const most=rows.reduce((high,readings)=>Math.max(high,readings.length),0);const usual=usualLabels(rows);const varies=rows.
some(readings=>readings.length!==most);for(const readings of rows){const counts=new Map;readings.forEach((reading,place)=>{
const label=reading.labels.find(it=>usual.has(it));if(label)this.cell(`${base}${label[0]==="k"?"|":"?|"}${label}`,path,reading);
if(place<12)this.cell(`${base}${varies?"?":"#"}${place}`,path,reading,false,!varies&&reading.kind!=="part");if(varies&&place<
12){const shape=shapeOf3(reading.text);increment(counts,shape);this.cell(`${base}~${shape}${counts.get(shape)}`,path,reading)}
this.cell(`${base}*`,path,reading,true)})}}cell(key,path,{sighting,kind,text,labels},isMany=false,isPlace=false){let column2=this.
byKey.get(key);if(!column2)this.byKey.set(key,column2=newColumn(key,path,sighting,kind,isMany,isPlace));else if(!isMany&&
column2.rows.at(-1)===sighting.row)return;for(const label of labels)increment(column2.labels,label);column2.rows.push(sighting.
row);column2.texts.push(text);column2.spots.push(sighting.spot.id)}};function newColumn(key,path,{spot,root:root2},kind,isMany,isPlace){
const[classes,labels,hints]=[new Set(spot.classes),new Map,[...hintsFor(spot,kind),...tagHints(spot)]];return{key,path,classes,
kind,tag:spot.tag,hints,labels,heads:root2.heads,isMany,isPlace,rows:[],texts:[],spots:[]}}function usualLabels(rows){const counts=new Map;
for(const readings of rows)for(const{labels}of readings)for(const label of labels)increment(counts,label);const least=Math.
max(2,rows.length*.25);const isUsual=([label,count])=>label[0]==="k"?count>=least:/[qab]/.test(label[0])&&count>=Math.max(
2,rows.length*.6);return new Set([...counts].filter(isUsual).map(([label])=>label))}function shapeOf3(text){if(/[$€£¥₹₽₩₺]|\b(usd|eur|gbp|chf|zł|kr|kč)\b/i.
test(text))return"money";if(/^\D{0,3}\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text))return"date";if(/\d/.test(text))return/^\W{0,3}\d[\d.,\s]*\W{0,3}$/.
test(text)?"number":"mixed";return"words"}var ADVERT_TEXT=/^(ad|ads|advertisement|sponsored|anzeige|gesponsert|werbung|publicité|sponsorisé|patrocinado|publicidad|sponsorizzato|pubblicità|advertentie|gesponsord|annons|reklama|mainos|maksettu mainos|広告)(?=[\s:·.]|$)/i;
var MAX_PAID_TEXT=400;var AD_HOSTS=/(^|\.)(doubleclick|googlesyndication|googleadservices|adservice|adnxs|taboola|outbrain|criteo|amazon-adsystem)\./i;
var SLOT_NAMES=["id","name","title","class","aria-label"];var AD_SIZES=new Set("120x600 160x600 234x60 300x250 300x600 3\
20x50 320x100 336x280 468x60 728x90 970x90 970x250".split(" "));var MAX_SLOT_DEPTH=2;function isAdvert(spot){return spot.
parent!==null&&advertsOf(spot.parent).has(spot)}function advertsOf(parent){return parent.adverts??=advertsAmong(parent.kids)}
function advertsAmong(kids){let bySign=null;for(let at=0;at<kids.length;at++){const signs=advertSigns(kids[at]);if(signs!==
EMPTY_LIST)for(const sign of signs)addToList(bySign??=new Map,sign,kids[at])}if(!bySign)return NO_SPOTS;const found=new Set;
for(const marked of bySign.values()){if(marked.length*2<=kids.length||kids.length<3)for(const kid of marked)found.add(kid)}
return found}function advertSigns(spot){const first=firstWords2(spot);const isLabelled3=first.length<24&&ADVERT_TEXT.test(
first);const isPaid=spot.isPaid&&textOfSpot(spot).length<MAX_PAID_TEXT;const{isMarked}=spot.make;if(!(isLabelled3||isPaid||
isMarked||spot.style.adverts.length))return EMPTY_LIST;return new Set([...spot.style.adverts,isMarked&&"data-ad",isPaid&&
"paid",isLabelled3&&"said"].filter(Boolean))}function firstWords2(spot){const{pieces}=spot;for(let at=0;at<pieces.length;at++){
const piece=pieces[at];if(piece===" ")continue;const text=typeof piece==="string"?piece.trim():firstWords2(piece);if(text)
return text}return""}function isAdvertFrame(){if(isAdvertName(window.name)||AD_HOSTS.test(location.hostname))return true;
if(AD_SIZES.has(`${window.innerWidth}x${window.innerHeight}`))return true;let holder=window.frameElement;for(let depth2=0;holder&&
depth2<=MAX_SLOT_DEPTH;depth2++,holder=holder.parentElement){for(const name of SLOT_NAMES)if(isAdvertName(attributeOf(holder,
name)??""))return true}return false}function isAdvertName(text){return text.toLowerCase().match(ADVERT)!==null}var MAX_SHAPE=60;var MAX_CLUSTERS=12;var MIN_SIMILARITY=.5;var MIN_SIMILARITY_BY_TAG=.25;function shapeFor(spot){return spot.
form.shape??=describeShape(spot)}function describeShape(spot){const shape=new Set;const look=(part,path)=>{if(shape.size>=
MAX_SHAPE||part.isMeta)return;if(part.hasText||CONTROLS2.has(part.tag)||part.tag==="img")shape.add(path);let last=null;for(const kid of part.
kids){if(kid.form!==last)look(kid,`${path}>${kid.tag}`);last=kid.form}};look(spot,spot.tag);return shape}function similarity(one,two){
if(one===two)return one.size?1:0;let common=0;for(const path of one)if(two.has(path))common++;const least=Math.min(one.size,
two.size);return least===0?0:(common/least+common/(one.size+two.size-common))/2}function clustersIn(parent){const{form,kids}=parent;
form.clusters??=clusterPlaces(kids,NO_SPOTS);if(form.clusters.length===0&&kids.length<=MAX_CLUSTERS)return EMPTY_LIST;const adverts=advertsOf(
parent);const places=adverts.size?clusterPlaces(kids,adverts):form.clusters;return places.map(alike=>alike.map(place=>kids[place]))}
function clusterPlaces(kids,adverts){const clusters=[];let form=SHAPELESS;let fitting=null;kids.forEach((spot,place)=>{if(spot.
isMeta||spot.tag==="br"||spot.tag==="hr"||adverts.has(spot))return;if(spot.form!==form)fitting=fittingCluster(clusters,spot);
form=spot.form;fitting?.places.push(place)});return clusters.filter(({places})=>places.length>1).map(({places})=>places)}
function fittingCluster(clusters,spot){const shape=shapeFor(spot);if(shape.size===0)return null;const isLikeThose=it=>it.
shape===shape||similarity(it.shape,shape)>=leastSimilarity(it.first,spot);let fitting=clusters.find(it=>it.first.tag===spot.
tag&&isLikeThose(it));if(!fitting&&clusters.length>=MAX_CLUSTERS)return null;if(!fitting)clusters.push(fitting={first:spot,
shape,places:[]});else if(shape.size>fitting.shape.size)fitting.shape=shape;return fitting}function leastSimilarity(one,two){
if(one.tag==="li"||one.tag==="article")return MIN_SIMILARITY_BY_TAG;const shared=one.classes.filter(name=>two.classes.includes(
name)).length;return shared&&shared*2>=Math.max(one.classes.length,two.classes.length)?MIN_SIMILARITY_BY_TAG:MIN_SIMILARITY}var MAX_COMPARED=12;var NUMBERS2=/\d+/g;var Layouts=class{constructor(records,stops){this.stops=stops;const bySlot=new Map;
for(const roots of records)for(const{spot,slot}of roots)addToList(bySlot,slot,spot);this.slots=[];this.numbers=new Map;this.
first=bySlot.size>1?sharedSlots(bySlot,records):null;for(const[slot,spots]of bySlot){const layouts=new Map;for(const spot of bySlot.
size>1?new Set(spots):spots)this.add(layouts,spot,1);this.layOut(slot,layouts);this.numbers.set(slot,this.slots.push(layouts)-
1)}}of({spot,slot}){if(this.first)return this.firstOf(spot);return this.slots[this.numbers.get(slot)].get(this.keyOf(spot))}firstOf(spot){
let top=spot;for(let ancestor=spot;ancestor;ancestor=ancestor.parent)if(this.first.get(ancestor)<=this.first.get(top))top=
ancestor;const path=[];for(let ancestor=spot;ancestor!==top;ancestor=ancestor.parent)path.push(ancestor.parent.kids.indexOf(
ancestor));const layout=this.slots[this.first.get(top)].get(this.keyOf(top));return path.reduceRight((found,place)=>found.
kids[place],layout)}keyOf(spot){return this.stops?spot:spot.form}add(layouts,spot,count){const layout=getOrCompute(layouts,
this.keyOf(spot),()=>({model:spot,count:0,place:void 0,kids:[]}));layout.count+=count;return layout}layOut(slot,top){const stack=[
[slot,slot,top]];while(stack.length){const[named,plain2,layouts]=stack.pop();const place={named,plain:plain2,sightings:[],
buckets:[]};const byTag=new Map;for(const layout of layouts.values()){layout.place=place;layout.kids=layout.model.kids.map(
kid=>this.stops?.has(kid)?null:this.step(byTag,layout,kid))}for(const[tag,byName2]of byTag){for(const step of stepsOf(byName2))
stack.push([`${named}>${step.name}`,`${plain2}>${tag}`,step.layouts])}}}step(byTag,parent,kid){const byName2=getOrCompute(
byTag,kid.tag,()=>new Map);const name=kid.tag+kid.style.dotted;const step=getOrCompute(byName2,name,()=>({name,classes:kid.
classes,layouts:new Map,count:0,parents:new Set}));step.count+=parent.count;step.parents.add(parent);return this.add(step.
layouts,kid,parent.count)}};function sharedSlots(bySlot,records){const first=new Map;let isShared=false;[...bySlot.values()].
forEach((spots,at)=>{for(const spot of spots){if(!first.has(spot))first.set(spot,at);else if(first.get(spot)!==at)isShared=
true}});return isShared||records.some(roots=>roots.some(({isShell})=>isShell))?first:null}function stepsOf(byName2){if(byName2.
size===1)return byName2.values();const steps=[];for(const step of[...byName2.values()].sort((one,two)=>two.count-one.count)){
const same=steps.slice(0,MAX_COMPARED).find(other=>isSameStep(step,other));if(!same)steps.push(step);else{for(const[key,
layout]of step.layouts)same.layouts.set(key,layout);for(const parent of step.parents)same.parents.add(parent)}}return steps}
function isSameStep(one,two){for(const parent of one.parents)if(two.parents.has(parent))return false;if(one.name.replace(
NUMBERS2,"0")===two.name.replace(NUMBERS2,"0"))return true;const[first,second]=[one,two].map(({layouts})=>layouts.values().
next().value.model);if(first.kids.length===0||second.kids.length===0||first.hasText||second.hasText)return false;return one.
classes.some(name=>two.classes.includes(name))||similarity(shapeFor(first),shapeFor(second))>=MIN_SIMILARITY}var USUAL=.25;function plainColumn({key,kind,tag,hints,labels,heads,isMany,rows,texts,spots},total,pack){const isAll=!isMany&&
rows.length===total;return{...{key,kind,tag,hints:[...new Set(hints)],heads:heads.map(head=>head.slice(0,MAX_HEADING)),isMany},
labels:reportedLabels(labels,rows.length,total),rows:isAll?void 0:rows,texts:pack.addTexts(texts),spots:pack.add(stepped(
spots))}}function reportedLabels(labels,count,total){const reported=[];labels.forEach((seen2,label)=>{if(label[0]==="k"||
seen2/count>=USUAL&&(seen2>1||total<3))reported.push([label,seen2])});return reported}function stepped(numbers){const step=numbers[1]-
numbers[0];if(numbers.length<4||step<=0)return numbers;for(let at=2;at<numbers.length;at++)if(numbers[at]-numbers[at-1]!==
step)return numbers;return[[numbers[0],step,numbers.length]]}function repeated(texts){if(texts.length<4)return texts;for(let at=1;at<
texts.length;at++)if(texts[at]!==texts[0])return texts;return[[texts[0],texts.length]]}var Pack=class{constructor(){this.
series=[];this.places=new Map;this.size=0}addTexts(texts){const known3=this.series.length;const place=this.add(repeated(
texts));if(place===known3)this.size+=sizeOfTexts(texts);return place}add(list){const places=getOrCompute(this.places,`${list.
length} ${typeof list[0]} ${list[0]} ${list.at(-1)}`,newList);for(const place of places)if(isSameList(this.series[place],
list))return place;places.push(this.series.length);return this.series.push(list)-1}};function isSameList(one,other){if(one.
length!==other.length)return false;for(let at=0;at<one.length;at++){if(one[at]!==other[at]&&(typeof one[at]!=="object"||
!isSameList(one[at],other[at])))return false}return true}function sizeOfTexts(texts){let size=8*texts.length;for(let at=0;at<
texts.length;at++)size+=texts[at].length;return size}var MAX_OVER=300;var MAX_OVERS=3;function withSections(top,records){if(top.kids.length===records.length&&records.every(([
{spot}])=>spot.parent===top))return records;const members=new Set(records.flatMap(roots=>roots.map(({spot})=>spot)));const overs=new Map;
const trunk=new Set;for(const member of members)for(let ancestor=member;ancestor&&ancestor!==top&&!trunk.has(ancestor);ancestor=
ancestor.parent)trunk.add(ancestor);const stack=[[top,[]]];while(stack.length){const[spot,above]=stack.pop();for(const[kid,
here]of sectionsIn(spot,trunk,spot===top)){const all=here.length?above.concat(here.map(over2=>overRoot(over2,top))):above;
if(!members.has(kid))stack.push([kid,all.concat(shellRoots(kid,top))]);else if(all.length)overs.set(kid,all)}}if(overs.size===
0)return records;return records.map(roots=>[...roots,...overs.get(roots[0].spot)??[]])}function sectionsIn(spot,trunk,isTop){
const signs=new Map;const isBetween=kid=>!trunk.has(kid)&&isOver2(kid);for(const kid of spot.kids)if(isBetween(kid))increment(
signs,signOf(kid));const sections=[];let here=[];let waiting=[];for(const kid of spot.kids){if(!trunk.has(kid)){const isFirst=!isTop&&
sections.length===0;if(isBetween(kid)&&(isFirst||signs.get(signOf(kid))>1))waiting.push(kid);continue}if(waiting.length)
here=waiting.slice(-MAX_OVERS);waiting=[];sections.push([kid,here])}return sections}function isOver2(spot){if(spot.isMeta||
isTabular(spot)||CONTROLS2.has(spot.tag)||spot.kids.length>8)return false;const text=textOfSpot(spot);return text.length>
0&&text.length<=MAX_OVER&&!isAdvert(spot)}function overRoot(spot,top){return{spot,slot:`section${spot.depth-top.depth}.${signOf(
spot)}`,heads:[]}}function shellRoots(spot,top){return hasTellingAttributes(spot)?[{...overRoot(spot,top),isShell:true}]:
[]}function hasTellingAttributes({element}){return[...attributesOf(element)].some(({name})=>name==="aria-label"||VALUE_ATTRIBUTE.
test(name))}function commonParent(spots){let holder=spots[0].parent;for(const spot of spots){let ancestor=spot.parent;while(ancestor!==
holder){if(ancestor.depth>holder.depth)ancestor=ancestor.parent;else holder=holder.parent}}return holder}function singleRecord(spot){
return spot.bare??=[{spot,slot:"",heads:EMPTY_LIST}]}var MAX_LONE=3;var LIST_CLASS=/(^|[\s_-])(results?|listings?|items|cards|hits|products|orders|entries|matches)([\s_-]|$)/i;
var ITEM_CLASS=/(^|[\s_-])(result|listing|item|card|hit|product|order|entry|match|tile)([\s_-]|$)/i;var ONE_FOUND=/(^|[^\d.,]\s*)1\s+([^\d\s]+\s+)?(results?|match|found|treffer|ergebnis|gefunden|résultat|trouvée?|resultados?|encontrad[oa]|risultato|trovat[oa]|resultaat|gevonden|resultat|träff|wynik)(?![\p{L}\d])/iu;
var ONE_IN_HEADING=/^1\s+\p{Ll}/u;var HEADINGS2=new Set(["h1","h2"]);var MAX_COUNT_LENGTH=80;var MAX_COUNT_PARTS=3;var MAX_CLIMB2=4;
var MIN_SHAPE=3;var ITEM_TAGS3=new Set(["article","li"]);function loneGroups(all,others){const counted2=countedItem(all);
if(counted2)return[{kind:"repeat",spot:counted2.parent,records:[singleRecord(counted2)],isOnly:true}];const groups=[];for(const spot of all){
if(!spot.classes.length||!spot.kids.length||!LIST_CLASS.test(spot.classes.join(" ")))continue;const items=spot.kids.filter(
kid=>ITEM_TAGS3.has(kid.tag)||ITEM_CLASS.test(kid.classes.join(" ")));if(items.length===1&&shapeFor(items[0]).size>1)groups.
push({kind:"repeat",spot,records:items.map(singleRecord)});if(groups.length>=MAX_LONE)break}return groups.length?groups:
onlyItem(all,others)}function countedItem(all){const count=all.findLast(spot=>spot.kids.length<=MAX_COUNT_PARTS&&isCount(
spot)&&!isAside(spot));let at=count;for(let climbed=0;at?.parent&&climbed<MAX_CLIMB2;climbed+=1,at=at.parent){const{kids}=at.
parent;for(const next of kids.slice(kids.indexOf(at)+1)){const item=onlyPart(next);if(item)return item}}return null}function isCount(spot){
const text=textOfSpot(spot);return text.length<=MAX_COUNT_LENGTH&&(ONE_FOUND.test(text)||HEADINGS2.has(spot.tag)&&ONE_IN_HEADING.
test(text))}function onlyPart(spot){let item=spot;while(item.kids.length===1)item=item.kids[0];const hasParts=item.kids.
length>1&&item.tag!=="form"&&shapeFor(item).size>=MIN_SHAPE;return hasParts&&!holdsSeveral(item)?item:null}function holdsSeveral(spot){
const seen2=new Set;return spot.kids.some(kid=>{const name=`${kid.tag} ${kid.classes.join(" ")}`;if(shapeFor(kid).size<MIN_SHAPE)
return false;const isKnown=seen2.has(name);seen2.add(name);return isKnown})}function onlyItem(all,others){const item=all.
find(isItem3);if(!item||shapeFor(item).size<2)return[];const inside=new Set(descendantsOf(item));const isOnly=!all.some(
spot=>!inside.has(spot)&&isItem3(spot))&&others.every(({spot})=>inside.has(spot)||isAside(spot));return isOnly&&![...inside].
some(({tag})=>tag==="h1")?[{kind:"repeat",spot:item.parent,records:[singleRecord(item)]}]:[]}function isItem3(spot){if(!spot.
parent||!spot.kids.length)return false;return(spot.tag==="article"||spot.classes.length>0&&ITEM_CLASS.test(spot.classes.
join(" ")))&&!isAside(spot)}function isAside(spot){return closest(spot.element,ASIDE)!==null}function isHeading(cells){return cells.length>1&&cells.every(cell=>!cell||cell.isHead&&cell.spot.tag==="th")}var ROWLIKE="\
tr, [role=row]";var MAX_SPAN=200;function*rowsIn(spot){for(const kid of spot.kids){if(matches(kid.element,ROWLIKE))yield kid;else if(kid.
tag!=="table"||isLayout(kid))yield*rowsIn(kid)}}function isLayout({make,element}){const role=make.hasRole?attributeOf(element,
"role"):null;return role==="presentation"||role==="none"}function gridOf(rows,parts){const grid=rows.map(()=>[]);const lines=rows.
map(row=>(parts.get(row)??[row]).flatMap(({kids})=>kids));const columns=lines.map(statedColumns);const first=columns.every(
Boolean)?Math.min(...columns.flat()):0;const isStated=first>0&&Math.max(...columns.flat())<first+MAX_SPAN;lines.forEach(
(cells,y)=>{let x=0;for(const[at,spot]of cells.entries()){if(isStated)x=columns[y][at]-first;else while(grid[y][x])x++;const isHead=spot.
tag==="th"||/^(column|row)header$/.test(attributeOf(spot.element,"role")??"");const across=spanOf(spot,"colspan");const down=spanOf(
spot,"rowspan",rows.length-y);for(let dy=0;dy<down&&y+dy<rows.length;dy++){for(let dx=0;dx<across;dx++)grid[y+dy][x+dx]??=
{spot,isHead,isFirst:!dx&&!dy}}x+=across}});return grid}function statedColumns(cells){const columns=cells.map(({element})=>Number(
attributeOf(element,"aria-colindex")));return columns.every(column2=>Number.isInteger(column2)&&column2>0)&&new Set(columns).
size===columns.length?columns:null}function partsOf2(rows){const byIndex=new Map;for(const row of rows){const index=attributeOf(
row.element,"aria-rowindex");addToList(byIndex,index===null?row:index,row)}return new Map([...byIndex.values()].map(parts=>[
parts[0],parts]))}function spanOf(spot,name,all=1){const span=Number(attributeOf(spot.element,name)??attributeOf(spot.element,
`aria-${name}`)??1);if(span===0)return all;return Number.isInteger(span)&&span>0?Math.min(span,MAX_SPAN):1}function headRows(rows,grid){
let top=0;while(top<rows.length-1&&(rows[top].parent.tag==="thead"||grid[top].every(cell=>!cell||cell.isHead)))top++;if(top>
0)return top;const texts=row=>row.map(cell=>cell?textOfSpot(cell.spot):"");const[first,...others]=grid.slice(0,12).map(texts);
const isNaming2=first.every(text=>text.length<40&&!/\d/.test(text))&&new Set(first).size===first.length;const isBold=grid[0].
every(({spot})=>spot.kids.length===1&&/^(b|strong)$/.test(spot.kids[0].tag));const differs2=first.some((_,x)=>others.length>
1&&others.every(row=>/\d/.test(row[x]??"")));const isClassed=/head/i.test(rows[0].classes.join(" "));return isNaming2&&first.
filter(Boolean).length>1&&(isBold||isClassed||differs2&&first.length>2)?1:0}function rowShell(row){return hasTellingAttributes(
row)?[{spot:row,slot:"row",heads:[],isShell:true}]:[]}function isDivider(row,width){return width>1&&row.length>0&&row.every(
cell=>cell&&cell.spot===row[0]?.spot)}function headsAt(grid,top,x){const texts=grid.slice(0,top).map(row=>row[x]?headOf2(
row[x].spot):"");return[...new Set(texts)].filter(Boolean)}function headOf2(spot){for(const part of descendantsOf(spot)){
const full=attributeOf(part.element,"title")??attributeOf(part.element,"abbr");if(full&&full.length<=MAX_LABEL)return collapseSpaces(
full)}return textOfSpot(spot)||(attributeOf(spot.element,"aria-label")??"")}var MAX_KINDS=4;var REGULAR=.7;function kindGroups(spot,rows,grid,top,width){const heads=Array.from({length:width},(_,x)=>headsAt(
grid,top,x));const lines=rows.slice(top).map((row,y)=>({row,cells:grid[top+y],kind:patternOf(grid[top+y])}));const isBody=({
row,cells})=>row.parent.tag!=="tfoot"&&!isAdvert(row)&&!isHeading(cells);const body=lines.filter(isBody);const counts=new Map;
for(const{kind}of body)increment(counts,kind);const kinds=[...counts].filter(([,count])=>count>1).map(([kind])=>kind);if(kinds.
length<2||kinds.length>MAX_KINDS)return[];const groups=kinds.map(kind=>({kind:top?"table":"rows",spot,records:kindRecords(
body,kind,counts,heads)}));const records=runRecords(body,kinds,heads);return records.length>1?[...groups,{kind:"run",spot,
records}]:groups}function patternOf(cells){return rootsOf(cells,String,[]).map(({spot})=>`${spot.tag}${spanOf(spot,"cols\
pan")}`).join(" ")}function kindRecords(lines,kind,counts,heads){const begin=lines.findIndex(line=>line.kind===kind);const over2=lines.
slice(0,begin).findLast(line=>counts.get(line.kind)>1&&counts.get(line.kind)<counts.get(kind));const records=[];let above=[];
for(const line of lines){if(line.kind===over2?.kind)above=rootsOf(line.cells,x=>`section.col${x}`,[]);else if(line.kind===
kind)records.push([...rootsOf(line.cells,x=>`col${x}`,heads),...above,...rowShell(line.row)])}return records}function rootsOf(cells,slot,heads){
const roots=[];cells.forEach((cell,x)=>{if(cell&&cell.spot!==cells[x-1]?.spot)roots.push({spot:cell.spot,slot:slot(x),heads:heads[x]??
[]})});return roots}function runRecords(lines,kinds,heads){const[start2]=kinds;const runs=[];for(const line of lines){if(line.
kind===start2)runs.push([line]);else if(kinds.includes(line.kind))runs.at(-1)?.push(line)}const long=runs.filter(run=>run.
length>1);const second=new Map;for(const[,{kind}]of long)increment(second,kind);const isRegular=long.length>1&&long.length>=
runs.length*REGULAR&&Math.max(...second.values())>=long.length*REGULAR;if(!isRegular)return[];const rootsIn=({row,cells,
kind})=>{const roots=rootsOf(cells,x=>`${kinds.indexOf(kind)}col${x}`,kind===start2?heads:[]);return[...roots,...rowShell(
row)]};return runs.map(run=>run.flatMap(rootsIn))}function joinedTables(groups){const bySign=new Map;for(const group of groups){
if(group.kind!=="table"&&group.kind!=="rows")continue;const slots=group.records[0].filter(({slot})=>!slot.startsWith("se\
ction"));const heads=slots.map(root2=>`${root2.slot} ${root2.spot.tag} ${root2.heads.join(" ")}`).join("|");addToList(bySign,
`${group.kind} ${group.spot.depth} ${heads}`,group)}const several=[...bySign.values()].filter(alike=>new Set(alike.map(({
spot})=>spot)).size>1);return several.map(alike=>{const records=alike.flatMap(group=>group.records);return{kind:alike[0].
kind,spot:commonParent(alike.map(({spot})=>spot)),records,isJoined:true}})}var MIN_LINES=3;function runGroups(parent){const starts=parent.form.starts??=startsIn(parent);if(starts.length===0)return EMPTY_LIST;
const kids=runKids(parent);const signs=kids.map(runSign);return starts.flatMap(start2=>{const records=runsFrom(kids,signs,
start2);return records.length>1?[{kind:"run",spot:parent,records,start:start2}]:[]})}function runKids(parent){return parent.
kids.filter(kid=>!kid.isMeta&&kid.tag!=="br")}function runSign(kid){return kid.tag+(kid.style.dotted||".")}function startsIn(parent){
const kids=runKids(parent);if(kids.every(({form})=>form===kids[0].form))return EMPTY_LIST;const signs=kids.map(runSign);
const counts=new Map;for(const sign of signs)increment(counts,sign);if(counts.size<2||counts.size>signs.length*.8)return EMPTY_LIST;
const starts=[...counts].filter(([sign,count])=>count>1&&isStart(sign,signs,counts)).map(([sign])=>sign);return starts.slice(
0,2)}function isStart(sign,signs,counts){const tag=sign.split(".")[0];if(tag==="hr")return false;if(HEADING.test(tag)||tag===
"dt")return signs.some(other=>other!==sign&&!HEADING.test(other.split(".")[0]));const first=signs.find(other=>counts.get(
other)>1);return sign===first&&signs.filter(other=>other===sign).length<signs.length}function runsFrom(kids,signs,start2){
const records=[];const level=/^h[1-6]/.test(start2)?Number(start2[1]):0;let isOpen2=false;kids.forEach((spot,at)=>{if(signs[at]===
start2){isOpen2=!isAdvert(spot);if(isOpen2)records.push([])}else if(level&&/^h[1-6]$/.test(spot.tag)&&Number(spot.tag[1])<=
level)isOpen2=false;if(!isOpen2||at>0&&spot.tag==="hr"||isAdvert(spot))return;const record=records.at(-1);record.push({spot,
slot:signs[at],heads:[]})});return records.filter(roots=>roots.length>1).length>1?records:[]}function joinedRuns(groups){
const bySign=new Map;for(const group of groups){if(group.start)addToList(bySign,`${group.spot.tag}.${group.spot.classes.
join(".")} ${group.spot.depth} ${group.start}`,group)}return[...bySign.values()].filter(alike=>alike.length>1).map(alike=>{
return{kind:"run",spot:commonParent(alike.map(({spot})=>spot)),records:alike.flatMap(({records})=>records)}})}function hasLines({
kids,hasText}){return hasText&&kids.filter(({tag})=>tag==="br").length>=MIN_LINES-1}function lineGroups(parent){if(!hasLines(
parent))return EMPTY_LIST;return linesIn(parent).flatMap(lines=>{const named=lines.filter(([first,...others])=>typeof first!==
"string"&&others.length>0);if(named.length<MIN_LINES||named.length<lines.length*REGULAR)return[];return[{kind:"repeat",spot:parent,
records:named.map(line=>singleRecord(lineSpot(parent,line)))}]})}function linesIn({pieces}){const blocks=[[]];let line=[];
const end=isBlock=>{if(line.length)blocks[blocks.length-1].push(line);line=[];if(isBlock)blocks.push([])};for(const piece of pieces){
if(typeof piece==="string"?piece.trim():PHRASING_TAGS.has(piece.tag))line.push(piece);else if(typeof piece!=="string")end(
piece.tag!=="br")}end(true);return blocks}function lineSpot(parent,pieces){const spot=newSpot(parent.element,markupOf("s\
pan",parent.make.names),parent,parent.id,false);spot.pieces=pieces;spot.kids=pieces.filter(piece=>typeof piece!=="string");
spot.hasText=pieces.some(piece=>typeof piece==="string");spot.form=formOf2(spot);return spot}var MIN_CELLS=6;function tablesIn(spot){const role=spot.make.hasRole?attributeOf(spot.element,"role"):null;if(spot.tag===
"table"&&!isLayout(spot))return tableGroups(spot);if(role==="table"||role==="grid"||role==="treegrid")return tableGroups(
spot);if(spot.kids.length<3||!(spot.form.isEven??=isEven(spot)))return EMPTY_LIST;const parts=spot.kids.filter(kid=>!kid.
isMeta);return[...gridGroups(spot,parts),...rowGroups(spot,parts)].filter(({records})=>records.length>0)}function isEven({
kids}){const parts=kids.filter(kid=>!kid.isMeta);if(parts.length>2&&parts.every(({tag})=>tag===parts[0].tag))return true;
return parts.length>=MIN_CELLS&&parts.every(kid=>kid.kids.length<=3)}function rowGroups(spot,rows){const width=rows.length>
2?rows[0].kids.length:0;if(width<2||isTabular(spot))return[];const[head,...others]=rows;const names=head.kids.map(textOfSpot);
const isNaming2=names.every(name=>name.length<40&&!/\d/.test(name))&&names.filter(Boolean).length>width/2;if(!isNaming2||
!others[0].kids.length||others.some(({tag})=>tag!==head.tag))return[];const areEven=others.filter(row=>row.kids.length===
width).length>=others.length*.8;const isMarked=head.classes.join()!==others[0].classes.join()||head.kids[0].classes.join()!==
others[0].kids[0].classes.join()||head.kids[0].tag!==others[0].kids[0].tag;if(!areEven||!isMarked||head.hasText||new Set(
names).size<names.length)return[];const grid=rows.filter(row=>row.kids.length===width).map(row=>row.kids.map(it=>({spot:it,
isHead:false,isFirst:true})));return[{kind:"table",spot,records:recordsOf(grid,1,width)}]}function tableGroups(spot){const parts=partsOf2(
[...rowsIn(spot)].filter(row=>row.kids.length>0));const rows=[...parts.keys()];if(rows.length<2)return[];const grid=gridOf(
rows,parts);const width=grid.reduce((most,row)=>Math.max(most,row.length),0);if(width<2)return[];const top=headRows(rows,
grid);const groups=[{kind:top?"table":"rows",spot,records:recordsOf(grid,top,width)},...kindGroups(spot,rows,grid,top,width)];
const body=grid.slice(top).filter(row=>!isDivider(row,width));const isSideways=body.length>1&&body.filter(row=>row[0]?.isHead).
length>=body.length*.8&&width<40;if(isSideways||!top&&width>2&&grid.filter(isNamed).length>=grid.length-1)groups.push({kind:"\
sideways",spot,records:turnedRecords(grid,width)});return groups.filter(({records})=>records.length>0)}function isNamed(row){
const text=row[0]?textOfSpot(row[0].spot):"";return text.length<40&&WORDLIKE.test(text)&&!/\d{2}/.test(text)}function recordsOf(grid,top,width){
const heads=Array.from({length:width},(_,x)=>headsAt(grid,top,x));const section={heads:["section"],text:""};const records=[];
for(const row of grid.slice(top)){if(row[0]?.spot.parent?.parent?.tag==="tfoot")continue;if(isDivider(row,width)){section.
spot=row[0].spot;continue}const{parent}=(row.find(cell=>cell?.isFirst)??row[0]).spot;if(top&&isHeading(row)||isAdvert(parent))
continue;const roots=row.map((cell,x)=>cell&&{spot:cell.spot,slot:`col${x}`,heads:heads[x]}).filter(Boolean);const once=roots.
filter(({spot},at)=>roots.findIndex(root2=>root2.spot===spot)===at);if(section.spot)once.push({spot:section.spot,slot:"s\
ection",heads:[]});if(once.length)records.push([...once,...rowShell(parent)])}return records}function turnedRecords(grid,width){
const lines=grid.filter(row=>!isDivider(row,width));const slots=lines.map(row=>row[0]?[textOfSpot(row[0].spot)].filter(Boolean):
[]);return Array.from({length:width-1},(_,x)=>lines.flatMap((row,y)=>row[x+1]?[{spot:row[x+1].spot,slot:`row${y}`,heads:slots[y]}]:
[]))}function gridGroups(spot,cells){if(cells.length<MIN_CELLS||cells.some(kid=>kid.kids.length>3))return[];const style=getComputedStyle(
spot.element);if(style.display!=="grid"&&style.display!=="inline-grid")return[];const width=style.gridTemplateColumns.split(
" ").length;if(width<2||cells.length%width||cells.length<2*width)return[];const grid=[];for(let at=0;at<cells.length;at+=
width){grid.push(cells.slice(at,at+width).map(cell=>({spot:cell,isHead:false,isFirst:true})))}const naming=grid[0].every(
({spot:cell})=>!/\d/.test(textOfSpot(cell))&&textOfSpot(cell).length<40);const isMarked=grid[0].every(({spot:cell})=>cell.
classes.join()!==grid[1].at(-1).spot.classes.join()||cell.tag!==grid[1].at(-1).spot.tag);const top=naming&&isMarked?1:0;
return top?[{kind:"table",spot,records:recordsOf(grid,top,width)}]:[]}var MANY=5;var MAX_GROUPS2=36;var MAX_WEIGHED=8;function groupsIn2(all){const groups=[];const clusters=new Map;for(const spot of all)
if(mayHold(spot))addGroups(spot,groups,clusters);groups.push(...wrappedGroups(clusters),...relatedGroups(all,clusters),...joinedRuns(
groups),...joinedTables(groups));const ranked=rankedGroups(groups);return[...ranked,...loneGroups(all,ranked)].map(sectioned)}
function mayHold(spot){return spot.peers<(spot.form.dullAmong??=dullAmong(spot))||spot.make.hasRole}function addGroups(spot,groups,clusters){
addAll(groups,tablesIn(spot));if(isTabular(spot)&&inTable(spot)&&!isLayout2(spot))return;for(const spots of spot.kids.length>
1?clustersIn(spot):EMPTY_LIST){const isPart3=arePart(spot,spots);if(!isPart3||spots.length*2>=spot.kids.length)addToList(
clusters,spot,spots);if(isPart3)continue;if(spots.length>=MANY)for(const member of spots)member.peers=spots.length;groups.
push({kind:"repeat",spot,records:spots.map(singleRecord)});addAll(groups,nestedGroups(spot,spots))}if(spot.kids.length<3)
return;addAll(groups,runGroups(spot));addAll(groups,lineGroups(spot))}function dullAmong(spot){const{form,kids}=spot;if(kids.
length<2)return spot.tag==="table"?Infinity:0;const others=kids.length>2&&((form.isEven??=isEven(spot))||(form.starts??=
startsIn(spot)).length||hasLines(spot));if(kids.length>MAX_CLUSTERS||isTabular(spot)||others)return Infinity;const clusters=(form.
clusters??=clusterPlaces(kids,NO_SPOTS)).map(places=>places.map(place=>kids[place]));const areParts=clusters.every(spots=>spots.
length*2<kids.length&&areBrief(spots));return areParts?clusters.reduce((most,{length})=>Math.max(most,length+1),0):Infinity}
function arePart(parent,spots){let item=parent;while(item&&item.peers===0)item=item.parent;return item!==null&&spots.length<
item.peers&&areBrief(spots)}function areBrief(spots){const sample=spots.slice(0,MAX_WEIGHED);return sample.filter(isBrief).
length*2>sample.length}function addAll(list,more){if(more.length)list.push(...more)}function isLayout2(spot){if(spot.tag!==
"tr")return false;return!tableOf(spot)?.hasHeads&&spot.kids.every(kid=>shapeFor(kid).size>2||!textOfSpot(kid))}function nestedGroups(parent,spots){
const[{tag,classes}]=spots;const sign=classes[0];const isSame2=inner2=>inner2.tag===tag&&inner2.classes[0]===sign;const isNesting=spot=>spot.
kids.length>0&&getOrCompute(spot.form.nesting??=new Map,sign,()=>spot.kids.some(kid=>findIn(kid,isSame2,3)));if(tag==="t\
r"||tag==="td"||!spots.some((spot,at)=>spot.form!==spots[at-1]?.form&&isNesting(spot)))return EMPTY_LIST;const all=[...descendantsOf(
parent)].filter(inner2=>inner2!==parent&&isSame2(inner2));const shape=shapeFor(spots[0]);const known3=new Set(spots);const members=all.
filter(inner2=>known3.has(inner2)||similarity(shapeFor(inner2),shape)>=MIN_SIMILARITY);if(members.length<=spots.length||
sign===void 0&&tag!=="li"&&tag!=="article")return[];return[{kind:"repeat",spot:parent,records:members.map(singleRecord),
isNested:true}]}function findIn(spot,fits,depth2){return fits(spot)||depth2>0&&spot.kids.some(kid=>findIn(kid,fits,depth2-
1))}function inTable(spot){const table=tableOf(spot);return table!==null&&table.isData}function tableOf(spot){let table=spot;
while(table&&table.tag!=="table")table=table.parent;if(table&&table.isData===void 0){table.isData=!/^(presentation|none)$/.
test(attributeOf(table.element,"role")??"")&&hasColumns(table);table.hasHeads=queryAll(table.element,"th").length>0}return table}
function hasColumns(table){for(const row of rowsIn(table))if(row.kids.length>1)return true;return false}function wrappedGroups(clusters){
const seen2=new Set;const groups=[];const known3=new Map;for(const[parent,own]of clusters){const tags=parent.parent&&getOrCompute(
known3,parent.parent,()=>new Set);if(tags?.has(parent.tag))continue;tags?.add(parent.tag);let path=[parent.tag];let most=1;
for(let top=parent.parent,up=0;top&&up<3;top=top.parent,up++){const sign=`${top.id} ${path.join(">")}`;if(!seen2.has(sign)){
seen2.add(sign);const parents=path.reduce((spots,tag)=>kidsThat(spots,kid=>kid.tag===tag),[top]);const group=parents.length>
most?mergedGroup(top,parents,own):null;if(group)groups.push(group);most=Math.max(most,parents.length)}path=[top.tag,...path]}}
return groups}function mergedGroup(top,parents,own){const model=own.reduce((most,spots)=>spots.length>most.length?spots:
most);const shape=shapeFor(model[0]);const members=kidsThat(parents,kid=>isLike(kid,model[0].tag,shape));if(members.length<=
model.length)return null;return{kind:"repeat",spot:top,records:members.map(singleRecord)}}function kidsThat(parents,fits){
return parents.flatMap(({kids})=>kids.filter(fits))}function relatedGroups(all,clusters){const models=new Map;const signs=new Set;
const counts=signCounts();for(const inParent of clusters.values()){for(const spots of inParent){const sign=relationSign(
spots[0]);if(counts.get(formSign(spots[0]))>spots.length)signs.add(formSign(spots[0]));if(!(isTabular(spots[0])&&inTable(
spots[0]))&&!(models.get(sign)?.length>=spots.length))models.set(sign,spots)}}const related=new Map;for(const spot of signs.
size?all:EMPTY_LIST){if(!spot.parent||!signs.has(formSign(spot)))continue;const sign=relationSign(spot);if(models.has(sign)&&
isRelated(spot,models.get(sign)[0]))addToList(related,sign,spot)}const isSpread=([sign,members])=>members.length>models.
get(sign).length;return[...related].filter(isSpread).map(([,members])=>({kind:"repeat",spot:commonParent(members),records:members.
map(singleRecord)}))}function relationSign(spot){const{parent,depth:depth2}=spot;const byDepth=getOrCompute(spot.form.kin??=
new Map,parent.form,()=>[]);return byDepth[depth2]??=`${depth2} ${formSign(spot)} ${formSign(parent)}`}function formSign(spot){
return spot.form.sign??=signOf(spot)}function isRelated(spot,model){return!isAdvert(spot)&&similarity(shapeFor(spot),shapeFor(
model))>=leastSimilarity(spot,model)}function sectioned(group){const isHeaded=group.kind==="repeat"||group.kind==="run"||
group.isJoined;return isHeaded&&!group.isNested?{...group,records:withSections(group.spot,group.records)}:group}function isLike(spot,tag,shape){
return spot.tag===tag&&!isAdvert(spot)&&similarity(shapeFor(spot),shape)>=MIN_SIMILARITY}function rankedGroups(groups){if(groups.
length<2)return groups;const sorted=groups.map(group=>({group,weight:rankOf2(group)})).sort((one,two)=>two.weight-one.weight);
const kept=[];const owners2=new Map;const signs=new Set;for(const{group}of sorted){if(kept.length>=MAX_GROUPS2)break;const first=group.
records[0][0].spot;const sign=`${group.kind} ${first.id} ${group.records.length} ${group.records.at(-1)[0].spot.id}`;if(signs.
has(sign))continue;signs.add(sign);const outer=ownerOf(first,owners2);const isInner=outer&&outer!==group&&outer.kind!=="\
run"&&group.kind!=="table";if(isInner&&outer.records.length>=MANY&&(isThin(group)||group.records.length<outer.records.length&&
owners2.has(first)))continue;kept.push(group);for(const roots of group.records)for(const{spot}of roots)if(!owners2.has(spot))
owners2.set(spot,group)}return kept}function isThin({records}){const sample=records.slice(0,MAX_WEIGHED);return sample.filter(
roots=>roots.length===1&&isBrief(roots[0].spot)).length*2>sample.length}function isBrief(spot){return shapeFor(spot).size<
2}function ownerOf(spot,owners2){for(let ancestor=spot.parent;ancestor;ancestor=ancestor.parent)if(owners2.has(ancestor))
return owners2.get(ancestor);return null}function rankOf2({records,kind}){const sample=Math.min(records.length,MAX_WEIGHED);
let leaves=0;for(let at=0;at<sample;at++)for(const{spot}of records[at])leaves+=shapeFor(spot).size;return Math.min(records.
length,400)*Math.sqrt(leaves/sample)*(kind==="table"?1.5:1)}var contentTypeOf=reader(Document,"contentType");var namespaceOf=reader(Element,"namespaceURI");var EMBEDDED=new Set(["a\
pplication/ld+json","application/json"]);var JSON_TYPE=/[/+]json$/i;var XML_TYPE=/[/+]xml$/i;var SOURCE="#webkit-xml-vie\
wer-source-xml";var MARKUP=/^http:\/\/www\.w3\.org\/(1999\/xhtml|2000\/svg|1998\/Math)/;var XML_BEGIN=/^<(\?xml|rss|feed)[\s>]/;
var MAX_LENGTH2=4e5;var MAX_DEPTH3=24;function documentData(){const type=contentTypeOf(document);const isJson=JSON_TYPE.
test(type);const[shown]=isJson||type==="text/plain"?tagsIn(document,"pre"):[];const[source]=XML_TYPE.test(type)?queryRoot(
document,SOURCE):[];let text="";if(shown)text=isJson?textContentOf(shown):jsonOf(textContentOf(shown).trim());else if(source)
text=jsonOfXml(childElementsOf(source)[0]);return text?{element:shown??topOf(document),text}:null}function jsonOf(text){
if(text.length>MAX_LENGTH2)return"";try{if(/^[[{]/.test(text)&&JSON.parse(text))return text}catch{return""}return XML_BEGIN.
test(text)?jsonOfXml(topOf(new DOMParser().parseFromString(text,"text/xml"))):""}function jsonOfXml(root2){const isData2=root2&&
!MARKUP.test(namespaceOf(root2)??"")&&childElementsOf(root2)[0]?.localName!=="parsererror";return isData2?JSON.stringify(
membersOf([root2],0)):""}var isReadable3=({text})=>text.length<=MAX_LENGTH2;function embeddedData(){let room=MAX_LENGTH2;
const found=[];for(const element of tagsIn(document,"script")){if(!EMBEDDED.has(attributeOf(element,"type")?.toLowerCase()))
continue;const text=textContentOf(element);if(!text.trim()||text.length>room)continue;room-=text.length;found.push({element,
text})}return found}function membersOf(elements,depth2){const members=new Map;const add2=(name,value)=>members.has(name)?
members.get(name).push(value):members.set(name,[value]);for(const element of elements){const[name,kids]=[tagOf(element),
childElementsOf(element)];const attributes=namesIn(element).map(key=>[key,attributeOf(element,key)]);const text=kids.length?
"":collapseSpaces(textContentOf(element));if(text){add2(name,text);for(const[key,value]of attributes)add2(`${name} ${key}`,
value)}else if(depth2<MAX_DEPTH3)add2(name,{...Object.fromEntries(attributes),...membersOf(kids,depth2+1)})}return Object.
fromEntries([...members].map(([name,values])=>[name,values.length>1?values:values[0]]))}var MAX_SETS=250;var MAX_MEMBERS=500;var MAX_MEMBER=1500;var MAX_SET_MEMBERS=6e3;var MAX_BETWEEN=40;var MAX_ALIKE2=3;var MAX_NAME4=120;
var LIST=/^(ul|ol|menu)$/;var BOLD=/^(b|strong)$/;var NO_SETS=/^(h[1-6]|th|dt|label|button|a|caption|legend)$/;var TITLE="\
h1, h2, h3, h4, h5, h6, b, strong, summary, dt, [role=heading]";var BETWEEN=/^[\s,;/|·•∙⋅&+–—›»→]*(and|und|et|y|e|och|og|en|i|oder|or|ou|o)?[\s,;/|·•∙⋅&+–—›»→.]*$/iu;
var TRIMMED=/^[\s,;/|·•∙⋅›»→\u2190-\u21ff✓✔]+|[\s,;/|·•∙⋅›»→×✕]+$/gu;var NUMBERED2=/^(\d+)\s*[.)]?\s+(?=\S)/;
var UNSEEN_CLASS=/(^|[\s_-])(sr-?only|visually-?hidden|screen-?reader(-text)?|hidden-visually|assistive-text)([\s_-]|$)/i;
function setsIn(spot){const{tag,kids}=spot;if(tag==="select")return choicesOf(spot);if(kids.length===0||NO_SETS.test(tag))
return[];const sets=radioSets(spot);if(sets.length)return sets;const list=listIn2(spot);if(list)return[list];return[...termSets(
spot),...[inlineSet(spot),linesSet(spot)].filter(Boolean),...alikeSets(spot)]}function listIn2(spot){if(!LIST.test(spot.
tag)&&attributeOf(spot.element,"role")!=="list")return null;const members=spot.kids.filter(kid=>kid.tag==="li"||attributeOf(
kid.element,"role")==="listitem");return members.length?{how:"list",spot,members,name:boldLineBefore(spot)}:null}function boldLineBefore(spot){
if(!spot.parent)return"";const{pieces}=spot.parent;const before2=neighbour(pieces,pieces.indexOf(spot),-1);if(before2===
null||typeof before2==="string"||before2.hasText||before2.kids.length!==1)return"";const[line]=before2.kids;return BOLD.
test(line.tag)&&isNaming(line)?textOfPiece(line).replace(ENDS_WITH_COLON,""):""}function termSets(spot){const sets=[];let run=[];
const end=()=>{if(run.length>1)sets.push({how:"terms",spot:run[0],members:run,name:termOf2(run[0])});run=[]};for(const kid of spot.
kids){if(kid.tag==="dd")run.push(kid);else end()}end();return sets}function inlineSet(spot){const pieces=spot.pieces.filter(
piece=>textOfPiece(piece));const isNamed2=pieces.length>0&&isNaming(pieces[0]);const rest=isNamed2?pieces.slice(1):pieces;
if(isNamed2&&rest.length&&typeof rest[0]==="string"&&/^\s*[:：]\s*$/.test(rest[0]))rest.shift();const members=[];for(const piece of rest){
const isBetween=textOfPiece(piece).length<=MAX_BETWEEN&&BETWEEN.test(textOfPiece(piece));if(typeof piece==="string"?!isBetween:
!PHRASING_TAGS.has(piece.tag))return null;if(typeof piece!=="string"&&!isBetween&&!piece.isMeta)members.push(piece)}if(members.
length<2||!members.every(({tag})=>tag===members[0].tag))return null;return{how:"inline",spot,members,name:isNamed2?textOfPiece(
pieces[0]).replace(ENDS_WITH_COLON,""):""}}function textOfPiece(piece){return typeof piece==="string"?collapseSpaces(piece):
textOfSpot(piece)}function isNaming(piece){const text=textOfPiece(piece);if(text.length>MAX_LABEL||!WORDLIKE.test(text))
return false;return ENDS_WITH_COLON.test(text)||typeof piece!=="string"&&(HEADING.test(piece.tag)||NAMING_TAGS.has(piece.
tag)||piece.style.isNaming)}function linesSet(spot){if(!spot.hasText||spot.kids.filter(({tag})=>tag==="br").length<1)return null;
const texts=[""];for(const piece of spot.pieces){if(typeof piece!=="string"&&piece.tag==="br")texts.push("");else texts.
push(`${texts.pop()}${typeof piece==="string"?piece:` ${textOfSpot(piece)} `}`)}const lines=texts.map(collapseSpaces).filter(
Boolean);const name=lines.length>2&&ENDS_WITH_COLON.test(lines[0])?lines.shift().replace(ENDS_WITH_COLON,""):"";return lines.
length>1?{how:"lines",spot,members:lines.map(()=>spot),name,texts:lines}:null}function alikeSets(spot){if(spot.hasText||
isTabular(spot)||spot.tag==="dl")return[];const bySign=new Map;for(const kid of spot.kids)if(!kid.isMeta&&isSmall2(kid))
addToList(bySign,`${kid.tag}.${kid.classes[0]??""}`,kid);const several=[...bySign.values()].filter(members=>members.length>
1).slice(0,MAX_ALIKE2);return several.map(members=>({how:"alike",spot,members,name:nameBefore(members[0])}))}function nameBefore(spot){
const{pieces}=spot.parent;const before2=neighbour(pieces,pieces.indexOf(spot),-1);return before2!==null&&isNaming(before2)?
textOfPiece(before2).replace(ENDS_WITH_COLON,""):""}function isSmall2(spot){if(CONTROLS2.has(spot.tag)||HEADING.test(spot.
tag)||spot.tag==="br"||spot.tag==="hr")return false;if(spot.tag==="img"||spot.tag==="p")return true;const text=textOfSpot(
spot);return text?text.length<400&&descendantsOf(spot).length<8:descendantsOf(spot).some(({tag})=>tag==="img")}function choicesOf(spot){
const offered=[...spot.element.options].filter(option=>option.value!==""&&!option.disabled&&collapseSpaces(option.label));
if(offered.length<2)return[];const texts=offered.map(option=>collapseSpaces(option.label));return[{how:"choices",spot,members:texts.
map(()=>spot),name:controlName(spot.element),texts}]}function radioSets(spot){const controls=spot.kids.length?choosersIn(
spot):[];if(controls.length<2||spot.kids.some(kid=>choosersIn(kid).length===controls.length))return[];const names=new Set(
controls.map(({element})=>attributeOf(element,"name")??""));if(names.size!==1&&!controls.every(({element})=>element.type===
"checkbox"))return[];const texts=controls.map(choiceText);if(!texts.every(Boolean))return[];const name=controlName(controls[0].
element)||choiceName(controls[0]);return[{how:"choices",spot,members:controls,name:texts.includes(name)?[...names][0]:name,
texts}]}function choosersIn(spot){const isOne=spot.tag==="input"&&(spot.element.type==="radio"||spot.element.type==="che\
ckbox");return spot.choosers??=isOne?[spot]:spot.kids.flatMap(choosersIn)}function choiceText({element}){const[label]=element.
labels??[];const pieces=label?collapseSpaces(seenText(label)):collapseSpaces(attributeOf(element,"aria-label")??"");return pieces||
(/^on$/i.test(element.value)?"":element.value)}function seenText(element){let text="";for(let node=firstOf(element);node;node=
nextOf(node)){if(kindOf(node)===TEXT)text+=dataOf(node);else if(kindOf(node)===ELEMENT&&!UNSEEN_CLASS.test(attributeOf(node,
"class")??""))text+=seenText(node)}return text}function plainSet(set,place,top){const{spot,how}=set;const members=set.members.
slice(0,MAX_MEMBERS);const labels=set.name?[`k${collapseSpaces(set.name)}`]:[];if(how!=="choices")labels.push(...labelsFor(
spot,"text",top.parent));const columns=[column("text",members,set.texts?.slice(0,MAX_MEMBERS)??unnumbered(members.map(memberText)))];
if(!set.texts){columns.push(column("title",members,members.map(titleIn)));columns.push(column("href",members,members.map(
member=>addressIn(member,"a","href"))));columns.push(column("src",members,members.map(member=>addressIn(member,"img","sr\
c"))))}return{how,size:members.length,labels,context:contextOf2(spot),section:place.heading,classes:[...new Set(members.
slice(0,8).flatMap(member=>member===spot?[]:member.classes.slice(0,3).map(name=>name.slice(0,MAX_NAME4))))],props:[...new Set(
members.slice(0,8).map(member=>attributeOf(member.element,"itemprop")??attributeOf(member.element,"rel")??"").filter(Boolean).
map(name=>name.slice(0,MAX_NAME4)))],columns:columns.filter(({texts})=>texts.length)}}function column(kind,members,pieces){
const rows=pieces.map((_,row)=>row).filter(row=>pieces[row]);return{kind,rows,texts:rows.map(row=>pieces[row].slice(0,MAX_MEMBER)),
spots:rows.map(row=>members[row].id)}}function memberText(member){const isNested=member.kids.some(({tag})=>LIST.test(tag));
const whole=isNested?collapseSpaces(member.pieces.map(it=>typeof it==="string"?it:LIST.test(it.tag)?"":` ${textOfSpot(it)}\
 `).join("")):textOfSpot(member);const text=whole.slice(0,MAX_MEMBER);return text.replace(TRIMMED,"")||text}function unnumbered(texts){
const counts=texts.map(text=>NUMBERED2.exec(text)?.[1]);return texts.length>1&&counts.every((count,at)=>Number(count)===
at+1)?texts.map(text=>text.replace(NUMBERED2,"")):texts}function titleIn(member){const titles=descendantsOf(member).filter(
it=>it!==member&&matches(it.element,TITLE));return titles.length&&textOfSpot(titles[0])!==textOfSpot(member)?textOfSpot(
titles[0]).replace(ENDS_WITH_COLON,""):""}function addressIn(member,tag,name){const found=descendantsOf(member).find(it=>it.
tag===tag&&attributeOf(it.element,name));return found?addressOf2(attributeOf(found.element,name)):""}var MAX_FACTS=2500;var NAMED_META=/^(description|author|keywords|date|article:|og:|twitter:|product:|book:|profile:|dc[.:]|citation_|publish|last-modified)/i;
var MAX_UNFILLED=100;var MAX_LED=60;var WORDS_BEFORE_NUMBER=/^(\p{L}[\p{L}.]*(?: \p{L}[\p{L}.]*){0,2})[:.#№°]*\s+([^\s,]*\d[^\s,]*(?: [\p{L}€$£%°²]+[.,]?)?(?: \d{4})?)$/u;
var BYLINE=new RegExp(`(?:^|\\s)(?:${BY})\\s+(\\p{Lu}[\\p{L}.'’-]*(?: \\p{Lu}[\\p{L}.'’-]*){0,3})`,"u");var BLOCK=/^.*[a-z0-9]__([a-z][\w-]*?)(?:--.*)?$/i;
var gathered={id:0,elements:[]};function gatherData({hold:hold2,bytes,groups,facts,keep,isInner}){clearMemo();return withinBudget(
bytes,budget=>{const root2=subject(hold2);if(!root2)return{missing:true};for(const memo2 of[styles,markups,PLAIN.forms])
memo2.clear();locateAddresses();const isWhole2=root2===document;const walk=new Walk;const isPaid=isInner&&isAdvertFrame();
const page=topOf(document);const start2=isWhole2?bodyOf(document)??page:root2;const data=isWhole2?documentData():null;const top=start2&&
!isPaid&&!data?walk.enter(start2,null):null;const found=top?groupsIn2(walk.spots):[];const collected=facts&&top?factsIn(
top,found):{facts:[],sets:[],unfilled:[]};const embedded=data?[data].filter(isReadable3):isWhole2&&!isPaid?embeddedData():
[];const pack=new Pack;const answer3={groups:groups?found.map(group=>columnsOf(group,pack)):[],facts:collected.facts,unfilled:collected.
unfilled,sets:groups?collected.sets:[],series:pack.series,meta:facts&&isWhole2&&!isPaid?metaFacts(walk):[],embedded:embedded.
map(({element,text})=>({spot:remember3(walk,element),text})),language:((page&&attributeOf(page,"lang"))??"").slice(0,MAX_LABEL),
isCut:walk.isCut||data&&embedded.length===0||void 0};gathered={id:gathered.id+1,elements:keep?walk.spots.map(spot=>spot.
element):[]};const size=sizeOf3(answer3,pack.size);budget.weigh(size);return{...answer3,size,gathering:gathered.id}})}function sizeOf3({
sets,facts,meta,embedded},packed){const cells=sets.reduce((sum,{columns})=>columns.reduce((all,{texts})=>all+sizeOfTexts(
texts),sum),packed);const collected=facts.reduce((sum,{text,section})=>sum+text.length+section.length+60,0);return cells+
collected+sizeOfTexts(meta.map(({text})=>text))+embedded.reduce((sum,{text})=>sum+text.length,0)}function columnsOf(group,pack){
const stops=group.isNested?new Set(group.records.map(([{spot}])=>spot)):null;const columns=new Columns(new Layouts(group.
records,stops));for(const roots of group.records)columns.add(roots);return{kind:group.kind,rows:columns.rows.length,isAside:closest(
group.spot.element,ASIDE)!==null,isOnly:group.isOnly,context:contextOf2(group.spot,group.records[0]?.[0].spot),columns:columns.
finish().map(column2=>plainColumn(column2,columns.rows.length,pack)),unfilled:emptyHeads(group)}}function emptyHeads({kind,
records}){if(kind!=="table")return[];const[filled,empty]=[new Set,new Map];for(const roots of records){for(const{spot,slot,
heads,isShell}of roots){if(isShell||heads.length===0||filled.has(slot))continue;if(textOfSpot(spot)||spot.kids.length>0)
filled.add(slot);else empty.set(slot,heads.join(" "))}}return[...empty].filter(([slot])=>!filled.has(slot)).map(([,head])=>head.
slice(0,MAX_HEADING))}function factsIn(top,groups){const repeated2=new Set(groups.flatMap(repeatedIn));const collected={
facts:[],sets:[],unfilled:[],room:MAX_SET_MEMBERS,heads:headsIn(groups),mains:mainsIn(top)};const isOutside=collected.mains.
size>0&&!collected.mains.has(top);collectFacts(top,top,{heading:"",isRepeated:false,isAside:false,isOutside},repeated2,collected);
return collected}function headsIn(groups){const small=groups.filter(({kind,records})=>kind==="table"&&records.length<3);
const roots=small.flatMap(({records})=>records.flat()).filter(({heads})=>heads.length>0);return new Map(roots.map(({spot,
heads})=>[spot,collapseSpaces(heads.join(" ")).slice(0,2*MAX_LABEL)]))}function isLinkList({tag,kids}){if(tag!=="ul"&&tag!==
"ol"&&tag!=="menu")return false;const isLink3=kid=>descendantsOf(kid).some(inner2=>inner2.tag==="a"&&textOfSpot(inner2)===
textOfSpot(kid))&&textOfSpot(kid).length<30;return kids.length>2&&kids.every(isLink3)}function repeatedIn({kind,records}){
if(records.length<3||!["repeat","table","rows"].includes(kind)||arePairs(records))return[];if(kind!=="repeat")return records.
flatMap(roots=>roots.map(({spot})=>spot));const spots=records.map(([{spot}])=>spot).filter(spot=>spot.kids.length>1&&!descendantsOf(
spot).some(({tag})=>tag==="h1"));return spots.length*2>=records.length?spots:[]}function arePairs(records){const names=records.
map(pairName).filter(Boolean);return names.length>=records.length*.7&&new Set(names).size===names.length}function pairName(roots){
let cells=roots.filter(({slot,isShell})=>!isShell&&!slot.startsWith("section")).map(({spot})=>spot);while(cells.length===
1&&typeof cells[0]!=="string"&&cells[0].kids.length){cells=cells[0].pieces.filter(piece=>typeof piece!=="string"||piece.
trim())}if(cells.length!==2)return"";const[first,second]=cells.map(cell2=>typeof cell2==="string"?collapseSpaces(cell2):
textOfSpot(cell2));const isBehind3=/\d/.test(first)&&WORDLIKE.test(second);const name=isBehind3?second:first;const cell=cells[isBehind3?
1:0];const isLink3=typeof cell!=="string"&&descendantsOf(cell).some(({tag})=>tag==="a");return name.length>MAX_LABEL||/\d/.
test(name)||isLink3?"":name}function collectFacts(spot,top,place,repeated2,collected){const{facts}=collected;if(facts.length>=
MAX_FACTS)return;if(HEADING.test(spot.tag))place.heading=textOfSpot(spot).slice(0,MAX_HEADING);const isAside2=place.isAside||
spot!==top&&(matches(spot.element,ASIDE)||isLinkList(spot));const isRepeated=place.isRepeated||repeated2.has(spot);const isOutside=place.
isOutside&&!collected.mains.has(spot);const addFact=(value,text,kind,labels)=>{const hints=[...hintsFor(value.spot,value.
kind).flatMap(hint=>hintOf(hint,text)),...tagHints(value.spot)];facts.push({spot:value.spot.id,tag:spot.tag,kind,text,labels,
hints,section:place.heading,isRepeated,isAside:isAside2,isOutside})};for(const found of isColumnHead(spot)?[]:[...valuesOf(
spot),...proseIn(spot)]){const value=found.kind==="text"?{...found,text:withoutStruck(found.spot,found.text)}:found;const around2=labelsFor(
value.spot,value.kind,top.parent);const head=collected.heads.get(spot)??(spot.parent&&isAlone2(spot)?collected.heads.get(
spot.parent):"");const labels=head?[`k${head}`,...around2]:around2;addFact(value,value.text,value.kind,labels);if(value.
kind==="text")for(const[text,given]of piecesOf2(value))addFact(value,text,"part",given)}for(const name of[emptyName(spot),
emptyTerm(spot),emptyField(spot),...emptyLines(spot)])if(name&&collected.unfilled.length<MAX_UNFILLED)collected.unfilled.
push(name.slice(0,MAX_HEADING));for(const set of collected.sets.length<MAX_SETS&&collected.room>0?setsIn(spot):[]){collected.
room-=set.members.length;collected.sets.push({...plainSet(set,place,top),isRepeated:place.isRepeated,isAside:isAside2})}
const inner2={heading:place.heading,isRepeated,isAside:isAside2,isOutside};for(const kid of spot.kids)collectFacts(kid,top,
inner2,repeated2,collected);place.heading=inner2.heading}function emptyTerm(spot){if(spot.tag!=="dt"||!spot.parent)return"";
const{kids}=spot.parent;const next=kids[kids.indexOf(spot)+1];return next&&next.tag==="dd"&&!textOfSpot(next)&&next.kids.
length===0?textOfSpot(spot).slice(0,MAX_LABEL):""}function isColumnHead({tag,parent}){return tag==="th"&&parent.tag==="t\
r"&&parent.kids.length>1&&parent.kids.every(kid=>kid.tag==="th")}function hintOf(hint,text){const[letter,hintText]=[hint[0],
hint.slice(1)];if(letter==="p")return[`p${hintText.split(":").pop()}`];if("ae".includes(letter)&&text&&hintText.includes(
text))return hintText===text?[]:[`${letter}${collapseSpaces(hintText.replace(text," "))}`];return"cu".includes(letter)&&
BLOCK.test(hintText)?[`${letter}${hintText.replace(BLOCK,"$1")}`,hint]:[hint]}function piecesOf2({spot,text}){const pieces=[];
const addPiece=(part,name)=>pieces.push([part,name?[`k${name}`]:[]]);const runs=runsOf(spot);const whole=areLinesNamed(spot,
runs)?null:splitOf(text);if(whole)addPiece(whole[1],whole[0]);for(const part of[...partsOf(text),...clausesIn(text)]){const[
name,value]=splitOf(part)??["",part];addPiece(value,name)}for(const{text:run,name}of runs){if(name)pieces.push([run,[name]]);else
addPiece(...splitOf(run)?.reverse()??[run,""])}for(const candidate2 of[text,...pieces.map(([part])=>part)]){const led=candidate2.
length<MAX_LED&&WORDS_BEFORE_NUMBER.exec(candidate2);if(led)pieces.push([led[2],[`b${led[1]}`]])}const byline=text.length<
240&&BYLINE.exec(text);if(byline)addPiece(byline[1],"author");return pieces}function clausesIn(text){const clauses=text.
length<240?text.split(/[,;]\s+|\.\s+(?=\p{Lu})/u):[];const named=clauses.filter(clause=>splitOf(clause));return named.length>
1||named[0]!==clauses[0]?named:[]}function proseIn(spot){const paragraphs=spot.kids.filter(kid=>kid.tag==="p"&&textOfSpot(
kid).length>0);if(paragraphs.length<2)return[];return[{spot,kind:"prose",text:paragraphs.map(textOfSpot).join("\n\n").slice(
0,2e4)}]}function metaFacts(walk){const facts=[{spot:-1,tag:"title",kind:"meta",name:"title",text:collapseSpaces(titleOf(
document)).slice(0,MAX_CELL2)}];for(const element of[...tagsIn(document,"meta"),...tagsIn(document,"link")]){const name=attributeOf(
element,"property")??attributeOf(element,"name")??attributeOf(element,"rel")??"";if(name!=="canonical"&&!NAMED_META.test(
name))continue;const text=name==="canonical"?addressOf2(attributeOf(element,"href")??""):attributeOf(element,"content");
if(text&&facts.length<100)facts.push({spot:remember3(walk,element),tag:tagOf(element),kind:"meta",name:name.slice(0,MAX_HEADING),
text:collapseSpaces(text).slice(0,MAX_CELL2)})}return facts}function remember3(walk,element){walk.spots.push(newSpot(element,
markupOf(tagOf(element),namesIn(element)),null,walk.spots.length,true));return walk.spots.length-1}function sourcesOf({gathering,
spots,prefix}){clearMemo();if(gathering!==gathered.id)return{sources:[]};const refs=registryHere(prefix);const sources=spots.
map(spot=>sourceOf(gathered.elements[spot],refs));gathered={id:gathered.id,elements:[]};return{sources}}function sourceOf(element,refs){
if(!element||!isConnected(element))return null;const tag=tagOf(element);const control=tag==="label"?element.control??element:
element;const found={element,control,tag,role:roleOf(control),isControl:false,isClickable:true,isDraggable:false};const entry=refs.
byElement.get(element)??refs.add(found,fingerprintOf(found,nameFor(found),false));return{ref:entry.ref,css:pathTo(element,
null),text:collapseSpaces(openTextOf(element).slice(0,MAX_CELL2))}}var MAX_NEAR2=300;var DRAWN3=new Set([null,"button","generic","img"]);var CELL="td, th, [role=cell], [role=gridcell], [r\
ole=columnheader], [role=rowheader]";function listCandidates({prefix,isSelected,isWhole:isWhole2}){clearMemo();const look=scan(
false,isWhole2);const named=look.found.map(found=>({found,...namingOf(found)}));const holders=holdersOf2(look.found);const twins=twinsIn(
named,holders);const refs=registryHere(prefix);return named.map(({found,name,isDerived},place)=>{const{element,control,role,
tag}=found;return{role:shownRole(role,tag),name:shorten(name,MAX_NAME)||void 0,derived:isDerived||void 0,by:isSelected?selectorsFor(
look,found,keysOf(look,found,name),false):void 0,ref:isSelected?refs.byElement.get(element)?.ref:refFound(refs,look,found,
name),kind:kindFor(control),placeholder:attributeOf(control,"placeholder")||void 0,key:isDerived?keyOf2(control):void 0,
value:valueOf(control,role)||void 0,up:holders[place]<0?void 0:place-holders[place],near:nearOf(found,name,twins,isWhole2?
null:look.front)||void 0}})}function refFound(refs,look,found,name){const known3=refs.byElement.get(found.element);if(known3)
return known3.ref;const keys2=keysOf(look,found,name);const print=fingerprintOf(found,name,Boolean(keys2.name));return refs.
add(found,print,`${slugOf(found,print)}${refs.id.slice(-4)}`).ref}function kindFor(control){switch(tagOf(control)){case"\
input":return control.type;case"textarea":return"textarea";case"button":return control.type==="submit"&&control.form?"su\
bmit":void 0;default:return isEdited(control)?"editable":tagOf(control)!=="a"&&closest(control,CELL)?"cell":void 0}}function keyOf2(control){
const key=isEdited(control)?attributeOf(control,"name")??"":"";return/^[a-z][a-z_-]{2,30}$/i.test(key)?key:void 0}function twinsIn(named,holders){
const groups=new Map;const controls=new Map;const fields2=new Map;for(const{found,name}of named){const isNamed2=name&&name!==
attributeOf(found.control,"placeholder");addToList(groups,`${found.role} ${name}`,{element:found.element,isNamed:isNamed2,
isDrawn:DRAWN3.has(found.role)})}const twins=new Map;for(const group of groups.values()){if(group.length<2){if(!group[0].
isNamed)twins.set(group[0].element,group[0].isDrawn?controls:fields2);continue}const counts=new Map;for(const{element}of group){
twins.set(element,counts);countHolders(counts,element)}}const there=new Set(twins.values());const around2=there.has(controls)||
there.has(fields2)?new Set(holders):null;if(around2){named.forEach(({found:{element,role},name,isDerived},place)=>{if(DRAWN3.
has(role)&&around2.has(place))return;if(there.has(controls))countHolders(controls,element);if(there.has(fields2)&&!(DRAWN3.
has(role)&&(!name||isDerived)))countHolders(fields2,element)})}return twins}function countHolders(counts,element){for(let holder=element;holder;holder=
parentOrHostOf(holder))increment(counts,holder)}function nearOf({element,control,role},name,twins,front){if(!twins.has(element))
return"";const words=textAround(element,twins,front);return words||(name&&name===attributeOf(control,"placeholder")?labelBeside(
control,role):"")}function textAround(element,twins,front){const counts=twins.get(element);const isAlone3=counts.get(topOf(
document))===1;let unit=element;for(let holder=parentOrHostOf(unit);holder&&counts.get(holder)===1;holder=parentOrHostOf(
holder)){if(textContentOf(holder).length>3*MAX_NEAR2||isAlone3&&textContentOf(unit).trim())break;unit=holder}let words="";
const walker=walkerOf(document,unit,NodeFilter.SHOW_TEXT);while(words.length<MAX_NEAR2&&walker.nextNode()){const text=collapseSpaces(
dataOf(walker.currentNode));if(text&&front&&!front.some(layer=>isWithinElement(parentOf(walker.currentNode),layer)))continue;
if(text&&isDistinguishing(parentOf(walker.currentNode),unit,twins))words+=` ${text}`}return shorten(words.trim(),MAX_NEAR2)}
function isDistinguishing(holder,unit,twins){if(isHidden(holder)||isEdited(holder)&&isSecret(holder))return false;for(let node=holder;node;node=
parentOrHostOf(node)){if(twins.has(node))return false;if(node===unit)break}return true}var templateOf=reader(HTMLTemplateElement,"content");var VOID=new Set("area base basefont bgsound br col embed frame hr \
img input keygen link meta param source track wbr".split(" "));var RAW=new Set("iframe noembed noframes noscript plainte\
xt script style xmp".split(" "));var SECRET_FIELD=/<(?:input|textarea)\b[^>]*(?:password|one-time-code|cc-[a-z])/i;var ESCAPES={
"&":"&amp;"," ":"&nbsp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function htmlOf(root2,budget,options={}){const parts=[];const stack=[
[root2,kindOf(root2)===ELEMENT?0:-1]];while(stack.length){const[next,depth2]=stack.pop();if(typeof next==="string")parts.
push(budget.charge(next));else if(kindOf(next)!==ELEMENT){parts.push(budget.charge(leafHtml(next)));if(kindOf(next)!==TEXT)
push(stack,childNodesOf2(next),depth2+1)}else{parts.push(budget.charge(startTag(next,options)));push(stack,inner(next,depth2,
options),depth2+1)}}return parts.join("")}function push(stack,items,depth2){for(let index=items.length-1;index>=0;index-=
1)stack.push([items[index],depth2])}function childNodesOf2(node){const children=[];for(let child=firstOf(node);child;child=
nextOf(child))children.push(child);return children}function inner(element,depth2,options){const tag=markupName(element);
if(VOID.has(tag))return[];if(tag==="textarea"&&isSecret(element))return["</textarea>"];let children=childNodesOf2(element instanceof
HTMLTemplateElement?templateOf(element):element);if(typeof options.depth==="number"&&depth2>=options.depth){const elements=children.
filter(child=>kindOf(child)===ELEMENT).length;children=children.filter(child=>kindOf(child)!==ELEMENT);if(elements)children.
push(`<!-- ${elements} elements left out -->`)}else if(shadowOf(element)){children.unshift('<template shadowrootmode="op\
en">',shadowOf(element),"</template>")}return[...children,`</${tag}>`]}function markupName(element){return element instanceof
HTMLElement?tagOf(element):element.tagName}function startTag(element,options){const isKept=name=>!options.attributes||options.
attributes.includes(name);let tag=`<${markupName(element)}`;for(const{name,value}of attributesOf(element)){if(isKept(name)&&
!(name==="value"&&isSecret(element)))tag+=` ${name}="${escaped(name==="srcdoc"?withoutFields(value):value)}"`}if(options.
computedStyles?.length){const style=getComputedStyle(element);const styles2=options.computedStyles.map(name=>`${name}: ${style.
getPropertyValue(name)}`).join("; ");tag+=` data-computed-style="${escaped(styles2)}"`}return`${tag}>`}function withoutFields(markup){
return SECRET_FIELD.test(markup)?"[REDACTED]":markup}function escaped(text){return text.replace(/[&\u00a0<>"]/g,mark=>ESCAPES[mark])}
function leafHtml(node){switch(kindOf(node)){case TEXT:{const parent=parentOf(node);const isRaw=parent&&kindOf(parent)===
ELEMENT&&RAW.has(markupName(parent));if(isRaw)return markupName(parent)==="noscript"?withoutFields(dataOf(node)):dataOf(
node);return escaped(dataOf(node)).replaceAll("&quot;",'"')}case Node.COMMENT_NODE:return`<!--${dataOf(node)}-->`;case Node.
CDATA_SECTION_NODE:return`<![CDATA[${dataOf(node)}]]>`;case Node.PROCESSING_INSTRUCTION_NODE:return`<?${node.target} ${dataOf(
node)}?>`;case Node.DOCUMENT_TYPE_NODE:return new XMLSerializer().serializeToString(node);default:return""}}var BLOCKS2="p, div, h1, h2, h3, h4, h5, h6, ul, ol, dl, table, pre, blockquote, section, article";var LANGUAGE=/(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]+)/;
function writerOf(writer,tag){if(writer.style.isPlain)return tag==="pre"?SECTIONS.get(tag):void 0;return SPANS.get(tag)??
(writer.style.isInline?void 0:SECTIONS.get(tag))}function escapedBlock(text){return text.replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+$|-+$)/gm,
"\\$1").replace(/^(\d{1,9})([.)])(?= |$)/gm,"$1\\$2").replaceAll("\n","  \n")}function prefixed(writer,text,first,rest){
const lines=text.split("\n");writer.budget.weigh(lines.length*rest.length);return first+lines.map((line,index)=>(index&&
line?rest:index?rest.trimEnd():"")+line).join("\n")}function wrapped(writer,element,mark){if(element.querySelector(BLOCKS2))
return false;const text=lineOf(writer,element);const[before2,after2]=[/^\s/,/\s$/].map(end=>end.test(textContentOf(element))?
" ":"");writer.write(text?before2+mark+text+mark+after2:before2);return true}function target(url){return url.replace(/[()<>\s\\]/g,
mark=>`%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2,"0")}`)}function fence(text,least){const runs=[...text.
matchAll(/`+/g)];return"`".repeat(runs.reduce((most,[run])=>Math.max(most,run.length+1),least))}function writeCode(writer,element){
const text=collapseSpaces(innerTextOf(element));const ticks=fence(text,1);const space=/^`|`$/.test(text)?" ":"";if(text)
writer.write(ticks+space+text+space+ticks);return true}function writeHeading(writer,element){const text=lineOf(writer,element);
return writer.block(text&&`${"#".repeat(Number(tagOf(element)[1]))} ${text}`)}function writeList(writer,element){let number=tagOf(
element)==="ol"?element.start:null;const lines=[];for(const child of shownChildren(element)){if(kindOf(child)!==ELEMENT)
continue;const isItem4=tagOf(child)==="li";if(isItem4&&number!==null&&hasAttribute(child,"value"))number=child.value;const marker=number===
null?"- ":`${number}. `;const item=writer.inner();writeElement(item,child);const text=item.finish();if(text)lines.push(prefixed(
writer,text,isItem4?marker:"  "," ".repeat(isItem4?marker.length:2)));if(text&&isItem4&&number!==null)number+=1}return writer.
block(lines.join("\n"),closest(element,"li")!==null)}function writeTable(writer,element){if(!isData(element))return false;
const rows=[...element.rows].filter(row=>checkVisibility(row));const grid=gridOf2(writer,rows);const width=grid.reduce((most,cells)=>Math.
max(most,cells.length),0);writer.budget.weigh(grid.length*width*3);const isHeader=row=>row.parentNode===element.tHead||[
...row.cells].every(cell=>tagOf(cell)==="th");if(!isHeader(rows[0]))grid.unshift([]);grid.splice(1,0,Array(width).fill("\
---"));if(element.caption&&checkVisibility(element.caption))writer.block(lineOf(writer,element.caption));const lines=grid.
map(cells=>Array.from({length:width},(_,index)=>cells[index]??""));return writer.block(lines.map(cells=>`| ${cells.join(
" | ")} |`).join("\n"))}function isData(element){if(/^(none|presentation)$/.test(attributeOf(element,"role")??"")||element.
querySelector("table"))return false;return[...element.rows].some(row=>checkVisibility(row)&&row.cells.length>1)}var MAX_SPAN2=100;
function gridOf2(writer,rows){const grid=rows.map(()=>[]);rows.forEach(({cells,parentNode},y)=>{let x=0;for(const cell of[
...cells].filter(it=>checkVisibility(it))){while(grid[y][x]!==void 0)x+=1;const end=x+Math.min(cell.colSpan,MAX_SPAN2);const below=Math.
min(cell.rowSpan||MAX_SPAN2,MAX_SPAN2);writer.budget.weigh((end-x)*below);for(let dy=0;dy<below&&rows[y+dy]?.parentNode===
parentNode;dy+=1){for(let at=x;at<end;at+=1)grid[y+dy][at]??=""}grid[y][x]=lineOf(writer,cell).replaceAll("|","\\|");x=end}});
return grid}var strong=(writer,element)=>wrapped(writer,element,"**");var emphasis=(writer,element)=>wrapped(writer,element,
"*");var struck=(writer,element)=>wrapped(writer,element,"~~");var SPANS=new Map(Object.entries({b:strong,code:writeCode,
del:struck,em:emphasis,i:emphasis,kbd:writeCode,s:struck,samp:writeCode,strong,tt:writeCode,a(writer,element){if(!element.
href||/^javascript:/i.test(element.href)||element.querySelector("ul, ol, table, pre, blockquote"))return false;const name=attributeOf(
element,"aria-label")??attributeOf(element,"title")??"";const text=lineOf(writer,element)||escapedInline(writer,collapseSpaces(
name));if(text)writer.write(`[${text}](${target(element.href)})`);return true},img(writer,element){const alt=collapseSpaces(
attributeOf(element,"alt")??"");if(alt)writer.write(`![${escapedInline(writer,alt)}](${/^(data|blob):/i.test(element.src)?
"":target(element.src)})`);return true},input(writer,element){if(element.type==="checkbox")writer.write(element.checked?
"[x] ":"[ ] ");return true}}));var SECTIONS=new Map(Object.entries({h1:writeHeading,h2:writeHeading,h3:writeHeading,h4:writeHeading,
h5:writeHeading,h6:writeHeading,ol:writeList,table:writeTable,ul:writeList,hr:writer=>writer.block("---"),blockquote(writer,element){
const text=blocksOf2(writer,element);return writer.block(text&&prefixed(writer,text,"> ","> "))},dt(writer,element){const text=lineOf(
writer,element);return writer.block(text&&`**${text}**`)},dd(writer,element){const text=blocksOf2(writer,element);return writer.
block(text&&prefixed(writer,text,": ","  "),true)},pre(writer,element){const text=writer.budget.charge(innerTextOf(element)).
replace(/\n+$/,"");if(writer.style.isPlain)return writer.block(text,true);const parts=[element,...element.querySelectorAll(
"code")];const names=parts.map(part=>LANGUAGE.exec(attributeOf(part,"class")??"")?.[1]);const ticks=fence(text,3);return writer.
block(`${ticks}${names.find(Boolean)??""}
${text}
${ticks}`)}}));var MAX_NESTING=1e3;var UNREAD_TAGS=new Set("script style noscript template head title iframe object embe\
d audio video canvas svg select datalist textarea progress meter".split(" "));var INLINE=/^(inline|contents|ruby|math$)/;
var Writer=class _Writer{constructor(budget,style={},depth2=0){this.budget=budget;this.style=style;this.depth=depth2;this.
run="";this.blocks=[]}write(text){this.run+=this.budget.charge(text)}flush(){if(this.style.isInline){this.write(" ");return}
const text=tidy(this.run);this.run="";if(text)this.blocks.push({text:this.style.isPlain?text:escapedBlock(text),isTight:Boolean(
this.style.isPlain)})}block(text,isTight=false){this.flush();if(text)this.blocks.push({text,isTight});return true}finish(){
if(this.style.isInline)return tidy(this.run).replaceAll("\n"," ");this.flush();return this.blocks.map(({text,isTight},index)=>(index?
isTight?"\n":"\n\n":"")+text).join("")}inner(style={}){return new _Writer(this.budget,{...this.style,...style},this.depth)}};
function visibleText2(root2,budget,isPlain2=false){const top=readable(root2);const writer=new Writer(budget.rest(),{isPlain:isPlain2});
if(top)writeElement(writer,top);return budget.charge(writer.finish())}function writeElement(writer,element){const tag=tagOf(
element);if(UNREAD_TAGS.has(tag)||writer.depth>MAX_NESTING)return;const{display}=getComputedStyle(element);if(display!==
"contents"&&!checkVisibility(element))return;if(tag==="br"){writer.write("\n");return}if(writerOf(writer,tag)?.(writer,element))
return;const isCell3=writer.style.isPlain&&display==="table-cell";const isBlock=!isCell3&&!INLINE.test(display);const isApart=isCell3||
display.startsWith("inline-");if(isBlock)writer.flush();if(isApart)writer.write(" ");writeChildren(writer,element);if(isApart)
writer.write(" ");if(isBlock)writer.flush()}function writeChildren(writer,element){const{visibility,contentVisibility,whiteSpace}=getComputedStyle(
element);const isSeen=visibility==="visible"&&contentVisibility!=="hidden"&&!isFolded(element);const spaces=/^(pre|break-spaces)/.
test(whiteSpace)?/[^\S\n]+/g:SPACES;writer.depth+=1;for(const child of shownChildren(element)){const kind=kindOf(child);
if(kind===ELEMENT)writeElement(writer,child);else if(kind===TEXT&&isSeen){const text=dataOf(child).replace(spaces," ");writer.
write(markBefore(element,text,writer.run)+escapedInline(writer,text))}}writer.depth-=1}function shownChildren(element){const assigned=tagOf(
element)==="slot"?element.assignedNodes():[];return assigned.length?assigned:childNodesOf2(shadowOf(element)??element)}function lineOf(writer,element){
const line=writer.inner({isInline:true});writeChildren(line,element);return line.finish()}function blocksOf2(writer,element){
const blocks=writer.inner({isInline:false});writeChildren(blocks,element);return blocks.finish()}function tidy(text){return text.
replace(/ *\n */g,"\n").replace(/ {2,}/g," ").replace(/\n{3,}/g,"\n\n").trim()}function escapedInline(writer,text){if(writer.
style.isPlain)return text;return text.replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])/giu,"\\$&")}function readDom({hold:hold2,bytes,...options}){return withinBudget(bytes,budget=>{const root2=subject(hold2);return root2?
{html:htmlOf(root2,budget,options),text:textOf3(root2,budget)}:{missing:true}})}function readContent({hold:hold2,format,
bytes}){return withinBudget(bytes,budget=>{const root2=subject(hold2);if(!root2)return{missing:true};if(format==="html")
return{content:htmlOf(root2,budget)};return{content:format==="text"?textOf3(root2,budget):visibleText2(root2,budget)}})}
function textOf3(root2,budget){const top=readable(root2);if(!top)return"";if(hasShadow(top,budget.rest()))return visibleText2(
top,budget,true);if(matches(top,"input, textarea")&&isSecret(top))return"";return budget.charge(top instanceof HTMLElement?
innerTextOf(top):textContentOf(top))}function hasShadow(top,budget){let isFound=false;for(const node of nodesFrom(top)){
if(kindOf(node)===TEXT)budget.charge(isUnread(parentOf(node))?"":dataOf(node));isFound||=kindOf(node)===ELEMENT&&shadowOf(
node)!==null}return isFound}function isUnread(parent){return parent!==null&&kindOf(parent)===ELEMENT&&UNREAD_TAGS.has(tagOf(
parent))}function stateOf({hold:name,properties,bytes}){clearMemo();return withinBudget(bytes,budget=>{const element=subject(name);
if(!element)return{missing:true};const known3=properties.filter(property=>PROPERTIES.has(property));return{state:Object.
fromEntries(known3.map(property=>[property,PROPERTIES.get(property)(element,budget)]))}})}function identityOf2({hold:name}){
clearMemo();const element=subject(name);if(!element)return{missing:true};const shown=approvedSubject(element);return{state:{
role:roleOf(shown),shownName:shownNameFor(shown),bounds:boundsOf(boxOf(element))}}}var PROPERTIES=new Map(Object.entries(
{visible:element=>showsAnything(element),enabled:element=>!isDisabled(element)&&!isInert(element),checked(element){const control=labelledControl(
element);const role=roleOf(control);return CHECKED_ROLES.has(role)?isChecked(control,role):void 0},role:element=>roleOf(
element),name:(element,budget)=>budget.charge(nameOf(element)),shownName:(element,budget)=>budget.charge(shownNameOf(element)),
bounds:element=>boundsOf(boxOf(element)),text:(element,budget)=>textOf3(element,budget),value(element,budget){const control=labelledControl(
element);if(!matches(control,"input, textarea, select, option, progress, meter")||isSecret(control))return void 0;return budget.
charge(String(control.value))},held:(element,budget)=>heldBy(controlShownBy(element),budget),attributes(element,budget){
const kept=[...attributesOf(element)].filter(({name})=>name!=="value"||!isSecret(element));return Object.fromEntries(kept.
map(({name,value})=>[budget.charge(name),budget.charge(value)]))},computedStyle(element,budget){const style=getComputedStyle(
element);return Object.fromEntries([...style].map(name=>[name,budget.charge(style.getPropertyValue(name))]))}}));function isChecked(control,role){
const state=checkedState(control,role);if(state==="mixed"&&control.indeterminate)return isTicked(control);return state===
void 0?void 0:state===true}function heldBy(control,budget){if(isSecret(control))return{secret:true};const role=roleOf(control);
if(matches(control,"select[multiple]"))return{value:[...control.selectedOptions].map(({value})=>budget.charge(value))};if(CHECKABLE.
has(role))return{value:isChecked(control,role)??false};if(matches(control,"input, textarea, select, option, progress, me\
ter"))return{value:budget.charge(String(control.value))};return control.isContentEditable?{value:textOf3(control,budget)}:
{}}function inspect(_,nodes){return nodes.map(node=>{const element=node&&kindOf(node)===ELEMENT?node:null;return element&&
{box:boundsOf(boxOf(element)),secret:isSecret(element)}})}function showsSecretField(){for(const node of nodesFrom(document)){
if(kindOf(node)!==ELEMENT||!matches(node,"input:not([type=password]), textarea")||!node.value)continue;if(node.type!=="h\
idden"&&isSecret(node)&&textSecurityIn(getComputedStyle(node))==="none")return{isShown:true}}return{isShown:false}}function secretTexts(){
const texts=new Set;for(const node of nodesFrom(document)){if(kindOf(node)!==ELEMENT||!matches(node,"input, textarea")||
!node.value||!isSecret(node))continue;for(const text of[node.value,collapseSpaces(node.value),"•".repeat(node.value.length)])
texts.add(text.slice(0,LONGEST_NAME))}return[...texts]}var FIELDS7="input:not([type=file], [type=hidden], [type=submit], [type=button], [type=image], [type=reset]), textarea, \
select";var CHECKABLE2=/^(checkbox|radio)$/;var MAX_FIELDS2=2e3;function fields(){const found=[];for(const node of nodesFrom(
document))if(kindOf(node)===ELEMENT&&matches(node,FIELDS7))found.push(node);return found.slice(0,MAX_FIELDS2)}var keyOf3=field=>[
tagOf(field),field.type,field.name,field.id].join(" ");function valueOf2(field){if(CHECKABLE2.test(field.type))return field.
checked;return tagOf(field)==="select"?[...field.options].map(option=>option.selected):field.value}function readForm(){const values=[];
let secret=0;for(const field of fields()){if(!isSecret(field))values.push({key:keyOf3(field),value:valueOf2(field)});else if(field.
value)secret++}const files=[...queryRoot(document,"input[type=file]")].filter(field=>field.files?.length).length;return{
values,secret,files,x:scrollX,y:scrollY}}function writeForm({values,x,y}){const left=fields().filter(field=>!isSecret(field));
let missing3=0;for(const{key,value}of values){const at=left.findIndex(field=>keyOf3(field)===key);if(at<0)missing3++;else
setValue(left.splice(at,1)[0],value)}scrollTo(x,y);return{missing:missing3}}function setValue(field,value){if(JSON.stringify(
valueOf2(field))===JSON.stringify(value))return;if(CHECKABLE2.test(field.type))field.click();else if(tagOf(field)==="sel\
ect")[...field.options].forEach((option,index)=>option.selected=value[index]??false);else field.value=value;for(const type of[
"input","change"])field.dispatchEvent(new Event(type,{bubbles:true,composed:true}))}var ofDocument=reader(Document,"adoptedStyleSheets");var ofShadow=reader(ShadowRoot,"adoptedStyleSheets");var OUTWEIGH="\
:not(#agentbrowser#agentbrowser#agentbrowser)";var HIDE=`:focus${OUTWEIGH}, :focus ${OUTWEIGH} { caret-color: transparen\
t !important; }`;var sheet;var sheets=null;function hideCaret(){showCaret();const focused=focusedElement();const tag=focused?
tagOf(focused):"";if(tag==="input"||tag==="textarea"||isEdited(focused)){const root2=rootOf(focused);if(!sheet){sheet=new CSSStyleSheet;
sheet.replaceSync(HIDE)}sheets=(kindOf(root2)===FRAGMENT?ofShadow:ofDocument)(root2);sheets?.push(sheet)}return{isHidden:sheets!==
null,isInFrame:tag==="iframe"||tag==="frame"}}function showCaret(){const index=sheet&&sheets?sheets.indexOf(sheet):-1;if(index>=
0)sheets?.splice(index,1);sheets=null;return{}}var MAX_HIDDEN_LEVELS=25;function hiddenParts({hold:hold2,bytes,nodes}){clearMemo();return withinBudget(bytes,budget=>{const root2=subject(
hold2);if(!root2)return{missing:true};const top=readable(root2);return{parts:top?hiddenIn(top,{isInside:false,level:0,depth:0},
{budget,nodes,count:0}):[]}})}function hiddenIn(element,{isInside,level,depth:depth2},walk){if(UNRENDERED_TAGS.has(tagOf(
element))||depth2>MAX_NESTING)return[];const isPart3=isInside||isHidden(element);const part=isPart3?hiddenPart(element,walk):
null;const inner2={isInside:isPart3,level:part?level+1:level,depth:depth2+1};const children=flatChildren(element).flatMap(
child=>{if(kindOf(child)===ELEMENT)return hiddenIn(child,inner2,walk);const text=isPart3&&kindOf(child)===TEXT?collapseSpaces(
dataOf(child)):"";return text&&text!==part?.name?[counted({role:"text",name:text,children:[]},walk)]:[]});if(!part)return children;
return level<MAX_HIDDEN_LEVELS?[{...part,children}]:[part,...children]}function hiddenPart(element,walk){const role=roleOf(
element)??"generic";const name=NAMELESS.has(role)?"":collapseSpaces(alternative(element,{by:"self",hidden:true,seen:new Set}));
return role==="generic"&&!name?null:counted({role,name,children:[]},walk)}function counted(part,walk){walk.budget.charge(
part.name);walk.count+=1;if(walk.count>walk.nodes)throw new TooLarge(walk.count,"nodes");return part}var FRAMES2=new Set(["iframe","frame"]);var LEVELLED_ROLES=new Set("heading listitem row treeitem".split(" "));var QUOTED=/^$|^\s|\s$|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|^-|[\n:](\s|$)|\s#|[\n\r]|^[&*\],?!>|@"'#%[]|[{}`]|^(null|~|true|false|y|n|yes|no|on|off)$|^[-+.]?\d[\d.,_eE+-]*$/i;
var UNPRINTABLE={"\\":"\\\\",'"':'\\"',"\b":"\\b","\f":"\\f","\n":"\\n","\r":"\\r","	":"\\t"};function outline({hold:hold2,
bytes,nodes}){clearMemo();return withinBudget(bytes,budget=>{const root2=subject(hold2);if(!root2)return{missing:true};const top={
role:"",name:"",element:null,parts:[]};const element=readable(root2);if(element)gather(top,element,{budget:budget.rest(),
room:nodes,nodes,depth:0,seen:new Set});const lines=[];for(const part of settled(top))printPart(lines,part,"",budget);return{
snapshot:lines.join("\n")}})}function gather(parent,element,walk){if(walk.seen.has(element))return;walk.seen.add(element);
walk.room-=1;if(walk.room<0)throw new TooLarge(walk.nodes+1,"nodes");if(isHidden(element)||walk.depth>MAX_NESTING)return;
const part=partOf(element);if(part)parent.parts.push(part);walk.depth+=1;gatherParts(part??parent,element,walk);walk.depth-=
1}function partOf(element){const role=FRAMES2.has(tagOf(element))?"iframe":roleOf(element);if(!role||role==="none"||role===
"presentation"||role==="generic")return null;return{role,name:nameOf(element),element,parts:[]}}function gatherParts(part,element,walk){
const tag=tagOf(element);if(tag==="input"||tag==="textarea"){if(!VALUELESS.has(element.type)&&element.type!=="file"&&!isSecret(
element))part.parts.push(walk.budget.charge(element.value));return}const gap=tag==="br"||getComputedStyle(element).display!==
"inline"?" ":"";part.parts.push(gap,pseudoElementText(element,"::before"));for(const child of flatChildren(element)){const kind=kindOf(
child);if(kind===ELEMENT)gather(part,child,walk);else if(kind===TEXT&&part.role!=="textbox"&&!isFolded(element))part.parts.
push(walk.budget.charge(dataOf(child)))}part.parts.push(pseudoElementText(element,"::after"),gap)}function settled(part){
const settledParts=[];let text="";const flush=()=>{const collapsed=collapseSpaces(text);if(collapsed)settledParts.push(collapsed);
text=""};for(const item of part.parts){if(typeof item==="string")text+=item;else{flush();settledParts.push(item)}}flush();
return settledParts.length===1&&settledParts[0]===part.name?[]:settledParts}function printPart(lines,part,indent,budget){
const print=line=>lines.push(budget.charge(`${indent}${line}`));if(typeof part==="string"){print(`- text: ${yaml(part)}`);
return}const key=keyOf4(part);const facts=factsOf(part);const parts=settled(part);const[only]=parts;if(parts.length===1&&
typeof only==="string"&&!facts.length){print(`- ${key}: ${yaml(only)}`);return}print(parts.length||facts.length?`- ${key}\
:`:`- ${key}`);for(const fact of facts)print(`  - ${fact}`);for(const each of parts)printPart(lines,each,`${indent}  `,budget)}
function keyOf4(part){const{role,name}=part;let key=role;if(name&&name.length<=LONGEST_NAME)key+=` ${JSON.stringify(name)}`;
for(const[state,value]of Object.entries(marksOf2(part))){if(value===true)key+=` [${state}]`;else if(value)key+=` [${state}\
=${value}]`}return QUOTED.test(key)?`'${key.replaceAll("'","''")}'`:key}function marksOf2({role,element}){const checked=checkedState(
element,role);return{checked:CHECKED_ROLES.has(role)&&checked,disabled:DISABLED_ROLES.has(role)&&isDisabled(element),expanded:expandedState(
element),level:LEVELLED_ROLES.has(role)&&(Number(/^h([1-6])$/.exec(tagOf(element))?.[1])||Number(attributeOf(element,"ar\
ia-level"))),pressed:role==="button"&&checked,selected:tagOf(element)==="option"?element.selected:selectedState(element,
role)}}function factsOf({role,name,element}){const facts=[];const url=role==="link"&&attributeOf(element,"href");if(url)
facts.push(`/url: ${yaml(url)}`);const placeholder=role==="textbox"&&attributeOf(element,"placeholder");if(placeholder&&
collapseSpaces(placeholder)!==name)facts.push(`/placeholder: ${yaml(collapseSpaces(placeholder))}`);return facts}function yaml(text){
if(!QUOTED.test(text))return text;const code=mark=>UNPRINTABLE[mark]??`\\x${mark.charCodeAt(0).toString(16).padStart(2,"\
0")}`;return`"${text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g,code)}"`}var RELATIONS=["labelledby","describedby","details","errormessage","controls","owns","flowto"].map(name=>`aria-${name}`);
var NAMED_BY_CONTENT=new Set("a button caption figcaption h1 h2 h3 h4 h5 h6 label legend option summary td th tr".split(
" "));function checkSize({hold:hold2,nodes,bytes}){return withinBudget(bytes,budget=>{const root2=subject(hold2);if(!root2)
return{missing:true};const names=new Budget(bytes);let count=0;for(const node of nodesFrom(root2)){const kind=kindOf(node);
if(kind===TEXT)budget.charge(dataOf(node));if(kind===ELEMENT)weigh(node,budget);if(kind===ELEMENT)weighNames(node,names);
if(kind===ELEMENT||kind===TEXT&&dataOf(node).trim())count+=1;if(count>nodes)throw new TooLarge(count,"nodes")}return{}})}
function weigh(element,budget){for(const{value}of attributesOf(element))budget.charge(value);if(typeof element.value==="\
string")budget.charge(element.value)}function weighNames(element,budget){for(const relation of RELATIONS){if(hasAttribute(
element,relation))for(const other of referenced(element,relation))budget.weigh(textContentOf(other).length)}if(NAMED_BY_CONTENT.
has(tagOf(element))||hasAttribute(element,"role")||hasAttribute(element,"tabindex")){budget.weigh(textContentOf(element).
length)}for(const pseudo of["::before","::after"])budget.weigh(getComputedStyle(element,pseudo).content.length)}var fontsOf=reader(
Document,"fonts");function extent({hidesCaret}){const boxes=[bodyOf(document),topOf(document)].filter(Boolean);const whole=(least,...readers)=>Math.
max(least,...boxes.flatMap(box=>readers.map(read2=>read2(box)??0)));const width=whole(innerWidth,scrollWidthOf,box=>box.
offsetWidth);const height=whole(innerHeight,scrollHeightOf,box=>box.offsetHeight);const shown={width:innerWidth,height:innerHeight};
const isPlain2=devicePixelRatio===1&&visualViewport?.scale===1&&fontsOf(document).status==="loaded";return{shown,whole:{
width,height},ratio:devicePixelRatio,isPlain:isPlain2,caret:hidesCaret?hideCaret():{isHidden:false,isInFrame:false}}}var FEW_VALUES=3;var MOST2=.75;function isFixed(names){const counts=new Map;for(const name of names)increment(counts,name);
return counts.size<=FEW_VALUES||Math.max(...counts.values())>=MOST2*names.length}function pattern([first,...others]){let start2=first.
length;let end=first.length;for(const name of others){start2=sharedStart(first,name,start2);end=sharedEnd(first,name,end)}
if(start2===first.length&&others.every(name=>name.length===start2))return first||void 0;const head=first.slice(0,start2).
match(/^.*[\s:#(]/su)?.[0]??"";const tail=first.slice(Math.max(head.length,first.length-end)).match(/[\s:)].*$/su)?.[0]??
"";return head.trim()||tail.trim()?shorten(`${head}…${tail}`,MAX_NAME):void 0}function sharedStart(one,other,limit){let length=0;
while(length<limit&&one[length]===other[length]&&length<other.length)length++;return length}function sharedEnd(one,other,limit){
let length=0;while(length<limit&&length<other.length&&one.at(-1-length)===other.at(-1-length))length++;return length}var SHOWN_ROWS=3;var MIN_ROWS=5;var MIN_HIDDEN=8;var MAX_ROW=20;var MAX_COLUMNS=8;var CHOOSERS=new Set([...CHECKABLE,...TYPED_IN,
"combobox","listbox","option","slider","scrollbar"]);var FIELDS8="select, textarea, input:not([type=button], [type=submi\
t], [type=reset], [type=image])";function fold(look,chosen){const forms=guardedForms(look.found);const top=treeOf(chosen);
measureBranch(top,{forms,focused:focusedElement()});const folds=[];foldBelow(top,forms,folds,new Set);const hidden=new Set(
folds.flatMap(one=>one.hidden));return{listed:hidden.size?chosen.filter(found=>!hidden.has(found)):chosen,folds}}function isField4({
element,control,role}){return element!==control||CHOOSERS.has(role)||matches(control,FIELDS8)||isEdited(control)}function guardedForms(all){
const forms=new Set;for(const found of all){if(!isField4(found))continue;if(found.control.form)forms.add(found.control.form);
for(let node=found.element;node;node=parentOrHostOf(node))if(tagOf(node)==="form")forms.add(node)}return forms}function treeOf(chosen){
const known3=new Map;const top=addBranch(null);for(const found of chosen){const path=[];let node=found.element;for(;node&&
!known3.has(node);node=parentOrHostOf(node))path.push(node);let parent=known3.get(node)??top;while(path.length)known3.set(
path.at(-1),parent=addBranch(path.pop(),parent));parent.found=found}return top}function addBranch(element,parent=null){const part={
element,parent,parts:[],found:null,size:0,key:null,isGuarded:false,hasFocus:false};parent?.parts.push(part);return part}
function measureBranch(part,known3){const{found,parts}=part;for(const inner2 of parts)measureBranch(inner2,known3);part.
size=parts.reduce((size,inner2)=>size+inner2.size,found?1:0);const keys2=parts.map(inner2=>inner2.key);part.key=part.size>
MAX_ROW?null:(found?[kindSignature(found),...keys2]:keys2).join();part.isGuarded=found&&isUnfoldable(found,known3)||parts.
some(inner2=>inner2.isGuarded);part.hasFocus=found?.control===known3.focused||parts.some(inner2=>inner2.hasFocus)}function isUnfoldable(found,{
forms}){const{control,role}=found;return isField4(found)||found.isScrollable||selectedState(control,role)!==void 0||forms.
has(control.form)}function kindSignature({control,role,tag,isDraggable}){const{checked,expanded,disabled}=statesOf(control,
role);return[tag,shownRole(role,tag),checked,expanded,disabled,isDraggable?"draggable":""].join("/")}function foldBelow(part,forms,folds,taken){
if(taken.has(part)||forms.has(part.element))return;if(part.parts.length>1){const rows=part.parts.flatMap(unitsOf).filter(
row=>row.key!==null&&!row.isGuarded&&!taken.has(row));const alike=Map.groupBy(rows,row=>`${tagOf(row.element)} ${row.key}`);
for(const[key,group]of alike)folds.push(...foldsOf(part,key,group,taken))}for(const inner2 of part.parts)foldBelow(inner2,
forms,folds,taken)}function unitsOf(part){let line=part;while(!line.found&&line.parts.length===1)[line]=line.parts;const{
found,parts}=line;const isLine2=!found&&parts.length<=MAX_COLUMNS&&parts[0].size>1&&parts[0].key!==null;return isLine2&&
parts.every(column2=>column2.key===parts[0].key)?parts:[part]}function foldsOf(part,key,group,taken){if(!isWorthIt(group))
return[];const rows=group.map(rowFrom);const fixed=rows[0].names.map((_,column2)=>isFixed(rows.map(row=>row.names[column2])));
const alike=Map.groupBy(rows,({names})=>JSON.stringify(names.filter((_,column2)=>fixed[column2])));const folds=[];for(const[
names,same]of alike){if(!isWorthIt(same.map(row=>row.part)))continue;for(const row of same)taken.add(row.part);folds.push(
foldOf(part,key+names,same))}return folds}function rowFrom(part){const found=foundIn(part);return{part,found,names:found.
map(nameFor)}}function isWorthIt(rows){return rows.length>=MIN_ROWS&&(rows.length-SHOWN_ROWS)*rows[0].size>=MIN_HIDDEN}function foundIn(part){
const inner2=part.parts.flatMap(foundIn);return part.found?[part.found,...inner2]:inner2}function foldOf(part,key,rows){
const hidden=rows.filter((row,position)=>position>=SHOWN_ROWS&&!row.part.hasFocus);const last=rows[SHOWN_ROWS-1].found;const{
parent}=rows[0].part;return{container:(rows.every(row=>row.part.parent===parent)?parent:part).element,key,rows:rows.length,
hiddenRows:hidden.length,hidden:hidden.flatMap(row=>row.found),anchor:last.at(-1),template:last.map((found,column2)=>({found,
name:pattern(rows.map(row=>row.names[column2]))}))}}function foldFor(folds,entry){const element=entry.element.deref();const isIn2=({anchor,hidden})=>anchor.element===element||
hidden.some(found=>found.element===element);const holds2=({container,key})=>container===entry.fold?.container.deref()&&key===
entry.fold.key;return folds.find(isIn2)??folds.find(holds2)}function listedOf(look,chosen,wanted,last){if(!wanted.fold||
!wanted.isListed)return{listed:chosen,folds:[]};const{listed:listed3,folds}=fold(look,chosen);if(!wanted.isBehindFold)return{
listed:listed3,folds};const one=foldFor(folds,last);return one?{listed:one.hidden,folds:[]}:null}function listedFolds(look,refs,folds,page,rest){
const shown=new Set(folds.length?page:[]);const all=new Set(folds.length?rest:[]);const shownFolds=folds.filter(({anchor})=>shown.
has(anchor)).map(one=>describeFold(look,refs,one));const later2=folds.filter(({anchor})=>all.has(anchor)&&!shown.has(anchor));
return{folds:shownFolds,hidden:later2.reduce((count,one)=>count+one.hidden.length,0)}}function describeFold(look,refs,one){
const{container,key,template}=one;const entry=refs.byElement.get(one.anchor.element);entry.fold={container:new WeakRef(container),
key};const owner=tagOf(container)==="tbody"?parentOrHostOf(container)??container:container;return{selector:{type:"css",value:anchorOf(
container,look)??pathTo(container,look)},role:roleOf(owner)??void 0,name:shorten(nameOf(owner),MAX_NAME)||void 0,count:one.
rows,shown:one.rows-one.hiddenRows,template:template.map(({found,name})=>described(refs,found,name)),cursor:`r0${entry.ref}`}}
function described(refs,{element,role,tag},name){return{ref:refs.byElement.get(element)?.ref,role:shownRole(role,tag),name}}var CUT="…";var MAX_INNER=300;function describeUnit(unit,described2){const{block,items,to,upto}=unit;const{id,kind,level,
region,rank,isNew}=block;const parts=partsOf3(unit,described2);return{id,kind,level:kind==="heading"?level:void 0,rank,parts,
isNew:isNew||void 0,region:region.role||void 0,regionName:region.name||void 0,done:[to,upto===Infinity?-1:upto],rows:unit.
rows,chars:items.reduce((total,{text,found})=>total+(found?0:text.length),0)}}function partsOf3({block,items,from,upto},described2){
const parts=[];let[seen2,omitted]=[0,0];const cells=cellsOf(block.unit,items);for(const[i,item]of items.entries()){const cell=cells[i];
if(item.found){const element=described2.get(item.found);if(element)parts.push({ref:element.ref,cell});const inner2=element&&
!unsaid(item.inner.trim(),element)?"":readableWords(item);const words=element?unsaid(inner2,element):inner2;if(words&&element)
parts.push({text:words.slice(0,MAX_INNER),cell,isInner:true});else if(words)addWords(parts,words.slice(0,MAX_INNER),cell,
true);continue}const text=item.text.slice(Math.max(0,from-seen2),Math.max(0,upto-seen2));const isCut=seen2+item.text.length>
upto;if(isCut)omitted+=item.text.length-text.length;seen2+=item.text.length;if(item.image)parts.push({kind:item.image,text:item.
text||void 0,value:item.value,cell});else if(text&&!isSaid(i,items,block.kind==="row"?cells:null,described2))addWords(parts,
isCut?`${text}${CUT}`:text,cell,item.isApart)}if(omitted)parts.push({omitted});const kept=[];for(const[i,part]of parts.entries()){
if(isRepeatedImage(part,i,parts))continue;const isPlain2=part.text!==void 0&&!part.kind&&!part.isInner;if(isPlain2)addWords(
kept,part.text??"",part.cell??0,true);else kept.push(part)}return kept.map(part=>({...part,cell:part.cell||void 0,isInner:void 0}))}
function addWords(parts,text,cell,isApart){const last=parts.at(-1);if(last?.text!==void 0&&!last.kind&&last.cell===cell&&
!last.isInner)last.text+=(isApart?" ":"")+text;else parts.push({text,cell})}function cellsOf(unit,items){const isRow2=tagOf(
unit)==="tr"||attributeOf(unit,"role")==="row";const numbers=new Map;if(isRow2)for(let child=firstElementOf(unit),i=0;child;child=
nextElementOf(child),i++)numbers.set(child,i);return items.map(({block,node})=>{const owner=isRow2?childOf(unit,node):block.
element;if(!numbers.has(owner))numbers.set(owner,numbers.size);return numbers.get(owner)})}function childOf(unit,node){let child=node;
while(child.parent&&child.parent.element!==unit)child=child.parent;return child.element}function isSaid(i,items,cells,described2){
const{within:within2,text}=items[i];const outer=within2&&described2.get(within2);if(outer&&!unsaid(text,outer))return true;
const names=[i-1,i+1].map(other=>{const found=items[other]?.found;const isNear2=found&&(!cells||cells[other]===cells[i]||
found.tag==="input"||FIELD_ROLES2.has(found.role??""));return isNear2?solid(described2.get(found)?.name??""):void 0});const words=solid(
text);const choice=items[i+1]?.found;if(choice?.role==="combobox"&&solid(described2.get(choice)?.value??"")===words)return true;
return names.some(name=>name===words)||Boolean(names[1]?.startsWith(words.endsWith(":")?words:`${words}:`))}function unsaid(text,{
name="",value=""}){const wanted=solid(text);if(solid(name).includes(wanted)||solid(value).includes(wanted))return"";if(!name.
endsWith(CUT)||!wanted.startsWith(solid(name.slice(0,-1))))return text;let rest=solid(name.slice(0,-1)).length;let at=0;
for(;at<text.length&&rest>0;at++)if(!/\s/.test(text[at]))rest--;return text.slice(at).trim()}var EMPTY2=/[\s▾▼▿⌄˅]+/g;
function solid(text){return text.replace(EMPTY2,"").toLowerCase()}function isRepeatedImage(part,i,parts){if(!part.kind||
part.value!==void 0||!part.text)return false;const text=solid(part.text);return parts.some((other,j)=>j!==i&&other.text!==
void 0&&(!other.kind||j<i)&&solid(other.text).includes(text))}function chooseBlocks(look,chosen,listed3,wanted,refs,isIncremental){const shown=new Set(listed3);const hidden=new Set(listed3.
length<chosen.length?chosen.filter(found=>!shown.has(found)):[]);const wish={listed:shown,hidden};const blocks=blocksOf(
look,wanted.isContinued,wanted.maxParts);if(isIncremental){const open=blocks.flatMap(block=>openUnit(block,wish,wanted));
const measure2={sizeOf:sizeOf2,elementsIn:unit=>elementsIn(unit,shown)};return chooseChangedUnits(refs,blocks,open,wanted,
measure2)}const choice=choose(blocks,wish,wanted);if(!wanted.isContinued&&!wanted.isBehindFold)rememberBlocks(refs,blocks,
choice);return{...choice,old:new Set,again:new Set,goneBlocks:goneBlocksOf(blocks,wanted),later:0}}function describeBlocks({
units,found,left,old,again,goneBlocks},elements){const described2=new Map(found.map((one,i)=>[one,elements[i]]));const blocks=units.
map(unit=>{const{id}=unit.block;return{...describeUnit(unit,described2),isOld:old.has(id)||void 0,isAgain:again.has(id)||
void 0,isBack:unit.block.isBack||void 0}});return{blocks,left,goneBlocks}}function observe(wanted){clearMemo();const refs=registryHere(wanted.prefix);const last=wanted.after&&refs.byRef.get(wanted.
after);if(wanted.after&&!last)return{isLost:true,metadata:about()};const before2=refs.byElement;if(wanted.refresh)refs.clear();
const isIncremental=wanted.since===refs.id&&!wanted.refresh;const look=scan(wanted.text!=="none"&&wanted.isListed);const chosen=look.
found.filter(found=>isWanted(found,wanted));const choice=listedOf(look,chosen,wanted,last);if(!choice)return{isLost:true,
metadata:about()};const blocks=look.stream?chooseBlocks(look,chosen,choice.listed,wanted,refs,isIncremental):null;const listing=isIncremental?
changedPage(chosen,choice.listed,refs,wanted,blocks):choosePage(choice.listed,chosen,refs,wanted,{last,blocks});const observation={
look,refs,before:before2,twins:new Twins(look),orphans:wanted.stable?refs.orphans():new Map,wanted};const elements=listing.
page.map(found=>describe(observation,found));refs.described=elements.map(({ref})=>ref);refs.prune();return{document:refs.
id,metadata:{...about(),tooDeep:look.hasTooDeep||void 0},elements,start:listing.start,isListed:wanted.isListed,isIncremental,
later:listing.later,chosen:choice.listed.length,...isIncremental?{folds:[],hidden:0}:listedFolds(look,refs,choice.folds,
listing.page,choice.listed.slice(listing.start)),...blocks&&describeBlocks(blocks,elements),total:look.found.length,missing:missing2(
look,wanted.known,refs),frames:geometriesOf(wanted.frames)}}function changedPage(chosen,listed3,refs,wanted,blocks){if(!blocks)
return{...chooseChanged(chosen,listed3,refs,wanted),start:0};rememberPassed(refs,blocks.found,chosen);return{page:blocks.
found,start:0,later:blocks.later}}function choosePage(listed3,chosen,refs,wanted,{last,blocks}){const start2=blocks?0:startOf(
listed3,last?.element.deref(),wanted.offset);const page=blocks?blocks.found:listed3.slice(start2,start2+wanted.max);if(!wanted.
after&&wanted.isListed&&!wanted.isContinued)rememberPassed(refs,page,chosen);return{page,start:start2,later:0}}function isWanted(found,wanted){
const role=listedRole(found);if(wanted.roles&&!wanted.roles.includes(role))return false;return!wanted.viewportOnly||isWithin2(
found.box,wanted.view)}function isWithin2(box,view){const{left,top,right,bottom}=view??{left:0,top:0,right:innerWidth,bottom:innerHeight};
return box.right>left&&box.bottom>top&&box.left<right&&box.top<bottom}function startOf(chosen,last,offset){const position=last?
chosen.findIndex(found=>found.element===last):-1;return position<0?offset:position+1}function missing2(look,known3,refs){
if(!known3.length)return[];const all=look.behind??look.found.map(found=>found.element);const present=new Set([...all].map(
element=>refs.byElement.get(element)?.ref));return known3.filter(ref=>!present.has(ref))}function describe(observation,found){
const{name,isDerived}=namingOf(found);const keys2=keysOf(observation.look,found,name);const print=fingerprintOf(found,name,
Boolean(keys2.name));const{entry,stability}=entryFor(observation,found,print);const{control,role,tag,box}=found;return{ref:entry.
ref,by:observation.wanted.selectors?selectorsFor(observation.look,found,keys2,observation.wanted.selectors==="all"):void 0,
role:listedRole(found),name:shorten(name,MAX_NAME)||void 0,derived:isDerived||void 0,context:keys2.name?void 0:rowContext(
print),value:valueOf(control,role),format:dateFormatOf(control),filled:isFilledSecret(control)||void 0,actionHints:hintsOf(
found),doubleClick:found.isDouble||void 0,tagName:tag,bounds:observation.wanted.bounds?boundsOf(box):void 0,focused:isFocused(
control)||void 0,...statesOf(control,role),...invalidState(control),covered:observation.wanted.isFull&&isCovered(found)||
void 0,offscreen:observation.wanted.isFull&&!isWithin2(box,observation.wanted.view)||void 0,stability:observation.wanted.
stable?stability:void 0,previousRef:observation.wanted.history?previousRef(observation,found,entry,stability):void 0}}function previousRef(observation,found,entry,stability){
const before2=observation.before.get(found.element);return stability==="moved"||before2&&before2!==entry?(before2??entry).
ref:void 0}function entryFor({refs,orphans,twins},found,print){let stability="stable";let entry=refs.byElement.get(found.
element);const isAmbiguous=twins.has(found,print);if(!entry){entry=isAmbiguous?void 0:orphanOf(orphans,found,print);stability=
entry?"moved":"new";if(entry)refs.attach(entry,found.element);else entry=refs.add(found,print)}const before2=stability===
"new"?void 0:entry.print;const isAct=found.isControl||found.isClickable||found.isDraggable;Object.assign(entry,{before:before2,
print,isAmbiguous,isAct});return{entry,stability}}function isFocused(control){const root2=rootOf(control);return(root2===
document?activeOf(document):root2.activeElement)===control}function about(){const top=scrollerOf(document)??topOf(document);
const maxX=top?Math.max(0,scrollWidthOf(top)-clientWidthOf(top)):0;const maxY=top?Math.max(0,scrollHeightOf(top)-clientHeightOf(
top)):0;const isLong=maxX>0||maxY>0;return{url:urlOf(document),title:shorten(titleOf(document),MAX_VALUE),viewport:{width:innerWidth,
height:innerHeight},scroll:isLong?{x:Math.round(scrollX),y:Math.round(scrollY),maxX,maxY}:void 0}}var OVERLAY_COLOUR="#ff00ff";var createElement=caller(Document,"createElementNS");var overlays=[];function showRedactions({
boxes}){for(const overlay of overlays)overlay.remove();overlays=boxes.map(overlayFor);return{}}function overlayFor({x,y,
width,height}){const overlay=createElement(document,"http://www.w3.org/1999/xhtml","div");const style={all:"initial",display:"\
block",position:"absolute",inset:"auto",left:`${x+scrollX}px`,top:`${y+scrollY}px`,width:`${width}px`,height:`${height}p\
x`,background:OVERLAY_COLOUR,"pointer-events":"none"};for(const[name,value]of Object.entries(style))overlay.style.setProperty(
name,value,"important");overlay.popover="manual";topOf(document).append(overlay);overlay.showPopover();return overlay}var MAX_PARAMS=200;var MAX_CHOICES=500;var MAX_WORDS3=2e3;var SKIPPED_TYPES=new Set(["hidden","submit","reset","button",
"image","file"]);var FORMATS2=new Map(Object.entries({email:"email",url:"uri",date:"date",time:"time"}));var TYPE_PATTERNS=new Map(
Object.entries({color:"^#[0-9a-fA-F]{6}$",month:"^\\d{4}-\\d{2}$",week:"^\\d{4}-W\\d{2}$","datetime-local":"^\\d{4}-\\d{2}\
-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?$"}));var controlsOf=reader(HTMLFormElement,"elements");function declaredTools({max,schemas,
bytes}){clearMemo();return withinBudget(bytes,budget=>{const forms=[...nodesFrom(document)].filter(isTool);const tools=forms.
slice(0,max).map(form=>({name:shorten(attributeOf(form,"toolname"),MAX_NAME),description:wordsOf3(form,"tooldescription"),
inputSchema:schemas?schemaOf(form):void 0,formSelector:idOrPath(form)}));const names=forms.map(form=>attributeOf(form,"t\
oolname"));budget.charge(JSON.stringify([tools,names]));return{tools,names}})}function isTool(node){return node instanceof
HTMLFormElement&&Boolean(attributeOf(node,"toolname"))}function wordsOf3(element,attribute){const words=collapseSpaces(attributeOf(
element,attribute)??"");return words?shorten(words,MAX_WORDS3):void 0}function schemaOf(form){const params=[...paramsOf(
form)].slice(0,MAX_PARAMS);const properties=params.map(([name,controls])=>[name,{...typeFor(controls),...wordingOf(controls)}]);
const required=params.filter(([,controls])=>controls.some(control=>control.required));return{type:"object",properties:Object.
fromEntries(properties),required:required.map(([name])=>name)}}function paramsOf(form){const params=new Map;for(const control of controlsOf(
form)){const name=attributeOf(control,"toolparamname")||attributeOf(control,"name");if(!name||!isParam(control))continue;
if(params.has(name))params.get(name).push(control);else params.set(name,[control])}return params}function isParam(control){
if(!matches(control,"input, select, textarea")||matches(control,":disabled"))return false;return!SKIPPED_TYPES.has(control.
type)}function wordingOf(controls){const first=attribute=>controls.map(control=>wordsOf3(control,attribute)).find(Boolean);
return{title:first("toolparamtitle"),description:first("toolparamdescription")??labelFor2(controls)}}function labelFor2([
first,second]){const group=second||first.type==="radio"?closest(first,"fieldset, [role=group], [role=radiogroup]"):first;
return group&&shorten(nameOf(group),MAX_WORDS3)||void 0}function typeFor(controls){const[control]=controls;if(control.type===
"radio")return choiceOf(controls.map(radio=>[radio.value,nameOf(radio)]));if(control.type==="checkbox"&&controls.length>
1)return multipleChoice(controls.map(box=>[box.value,nameOf(box)]));if(control.type==="checkbox")return{type:"boolean"};
if(tagOf(control)==="select")return ofOptions(control);return control.type==="number"||control.type==="range"?numberOf(control):
textFor(control)}function ofOptions(select){const options=[...select.options].filter(option=>option.value&&!matches(option,
":disabled"));const choices=options.map(option=>[option.value,collapseSpaces(option.label)]);return select.multiple?multipleChoice(
choices):choiceOf(choices)}function choiceOf(choices){const few=choices.slice(0,MAX_CHOICES);const isLabelled3=few.some(
([value,label])=>label&&label!==value);const titled=few.map(([value,label])=>({const:value,title:shorten(label||value,MAX_NAME)}));
return{type:"string",enum:few.map(([value])=>value),anyOf:isLabelled3?titled:void 0}}function multipleChoice(choices){return{
type:"array",items:choiceOf(choices),uniqueItems:true}}function numberOf(input){const step=attributeOf(input,"step")==="\
any"?void 0:numberIn2(input,"step")??1;const minimum=numberIn2(input,"min")??(input.type==="range"?0:void 0);const maximum=numberIn2(
input,"max")??(input.type==="range"?100:void 0);const isFromZero=Number.isInteger((minimum??0)/step);return{type:"number",
minimum,maximum,multipleOf:step>0&&isFromZero?step:void 0}}function numberIn2(element,attribute){const text=attributeOf(
element,attribute);return text&&Number.isFinite(Number(text))?Number(text):void 0}function textFor(field){const hasPattern=Boolean(
field.pattern)&&field.pattern.length<=MAX_WORDS3;const pattern2=hasPattern?`^(?:${field.pattern})$`:TYPE_PATTERNS.get(field.
type);const length=limit=>limit>=0?limit:void 0;const lengths={minLength:length(field.minLength)||void 0,maxLength:length(
field.maxLength)};return{type:"string",format:FORMATS2.get(field.type),pattern:pattern2,...lengths}}var SILENT3=new Set(["script","style","template","noscript","head"]);var BUTTONS4=new Set(["button","submit","reset"]);var TEXT_FIELDS=new Set(
["text","search","email","url","tel","number","textarea"]);var SHARE=.1;var PAUSE_MS=30;async function waitForWords({text,
isGone:isGone2,timeout,secrets:secrets2}){masked=null;const wanted=plain(text);const deadline=performance.now()+timeout;
for(;;){const start2=performance.now();masked=spellingsOf(secretsHere(secrets2));if(hasWords(document,wanted)!==isGone2)
return true;const now=performance.now();if(now>=deadline)return false;await nextChange(Math.min(deadline-now,Math.max(PAUSE_MS,
(now-start2)/SHARE)))}}var masked=null;function plain(text){const words=text.replace(/\s+/g," ").trim().toLowerCase();return masked?
words.replace(masked,"[redacted]"):words}function hasWords(root2,wanted){if(childElementsOf(root2).some(element=>isIn(element,
wanted)))return true;if([...queryRoot(root2,"input, textarea")].some(field=>isShownBy(field,wanted)))return true;const all=queryRoot(
root2,"*");return[...all].some(element=>{const shadow=shadowOf(element);return Boolean(shadow&&hasWords(shadow,wanted))})}
function isIn(element,wanted){if(SILENT3.has(tagOf(element))||!plain(textContentOf(element)??"").includes(wanted))return false;
const inner2=childElementsOf(element).filter(child=>plain(textContentOf(child)??"").includes(wanted));if(inner2.some(child=>isIn(
child,wanted)))return true;const own=()=>ownTextNodes(element).map(dataOf).join(" ");const shown=inner2.length>0?own():element instanceof
HTMLElement?innerTextOf(element):"";return plain(shown).includes(wanted)&&checkVisibility(element,VISIBLE)}function isShownBy(field,wanted){
const isPageOwn=BUTTONS4.has(field.type)||TEXT_FIELDS.has(field.type)&&matches(field,":disabled, :read-only")&&!isSecret(
field);return isPageOwn&&plain(field.value).includes(wanted)&&checkVisibility(field,VISIBLE)}function nextChange(ms){return new Promise(
done=>{setTimeout(done,ms)})}var CALLS={about,asksForSecrets,checkSize,choose:choose2,copyText,declaredTools,disarm,dropUnfinished,elementIndexes,endPressWatch,
extent,finishChoosing,finishWriting,giveUp,frameGeometries,gatherData,hiddenParts,hideCaret,hold,identityOf:identityOf2,
inspect,isAtRest,isPressHeld,leaveField,lendSerialiser,listCandidates,listenAgain,locate,noticeCookies,observe,originHere,
outline,ownerCss,placesOf:placesOf2,prepare,pressThroughFrame,question,readContent,readDom,readForm,refuseInput,registerFrame,
revertObservation,secretPlaces,secretTexts,selectionHeard,settle,showCaret,showRedactions,showsSecretField,sourcesOf,startWriting,
stateOf,textsHere,throughFrame,verify,waitForWords,watchFramePress,watchPress,watchRelease,writeForm,writeInEditor};var lending="";
function lendSerialiser(){performance.dispatchEvent(new Event(lending));return{}}var LONE_SURROGATE="\\ud";function call(request,element){
const[name,argument,hasSecrets]=JSON.parse(request);spellRefs(!hasSecrets);const answer3=CALLS[name](argument,element);return answer3 instanceof
Promise?answer3.then(jsonFor):jsonFor(answer3)}function jsonFor(answer3){const text=JSON.stringify(answer3);if(!text.includes(
LONE_SURROGATE))return text;const mend=(_,value)=>typeof value==="string"?value.toWellFormed():value;return JSON.stringify(
JSON.parse(text),mend)}Object.defineProperty(call,"held",{value:subject});function install(key,channelName,bindingName){
openNotices(globalThis[bindingName]);openCopies(`${channelName} copies`,globalThis[bindingName]);delete globalThis[bindingName];
openChannel(channelName);openActivityChannel(`${channelName} activity`);openInternals(`${channelName} activity`);lending=
`${channelName} serialiser`;globalThis[key]??=call;return listenIn(null)}return install;
})()
// program: locator_probe
(() => { "use strict";
function reader(type,name){const{get}=Object.getOwnPropertyDescriptor(type.prototype,name);return Function.prototype.call.
bind(get)}function caller(type,name){return Function.prototype.call.bind(type.prototype[name])}var kindOf=reader(Node,"n\
odeType");var firstOf=reader(Node,"firstChild");var lastOf=reader(Node,"lastChild");var nextOf=reader(Node,"nextSibling");
var previousOf=reader(Node,"previousSibling");var parentOf=reader(Node,"parentNode");var dataOf=reader(CharacterData,"da\
ta");var textContentOf=reader(Node,"textContent");var isConnected=reader(Node,"isConnected");var rootOf=caller(Node,"get\
RootNode");var tagOf=reader(Element,"localName");var shadowOf=reader(Element,"shadowRoot");var textSlotOf=reader(Text,"a\
ssignedSlot");var slotOf=reader(Element,"assignedSlot");var firstElementOf=reader(Element,"firstElementChild");var nextElementOf=reader(
Element,"nextElementSibling");var previousElementOf=reader(Element,"previousElementSibling");var childCountOf=reader(Element,
"childElementCount");var attributeOf=caller(Element,"getAttribute");var namesIn=caller(Element,"getAttributeNames");var attributesOf=reader(
Element,"attributes");var hasAttributes=caller(Element,"hasAttributes");var hasAttribute=caller(Element,"hasAttribute");
var matches=caller(Element,"matches");var closest=caller(Element,"closest");var queryAll=caller(Element,"querySelectorAl\
l");var queryDocument=caller(Document,"querySelectorAll");var queryFragment=caller(DocumentFragment,"querySelectorAll");
var queryRoot=(root,selector)=>(kindOf(root)===FRAGMENT?queryFragment:queryDocument)(root,selector);var contains=caller(
Node,"contains");var scrollIntoView=caller(Element,"scrollIntoView");var measure=caller(Element,"getBoundingClientRect");
var rectanglesOf=caller(Element,"getClientRects");var tagsIn=caller(Document,"getElementsByTagName");var hitInDocument=caller(
Document,"elementFromPoint");var hitInShadow=caller(ShadowRoot,"elementFromPoint");var checkVisibility=caller(Element,"c\
heckVisibility");var scrollWidthOf=reader(Element,"scrollWidth");var scrollHeightOf=reader(Element,"scrollHeight");var clientWidthOf=reader(
Element,"clientWidth");var clientHeightOf=reader(Element,"clientHeight");var bodyOf=reader(Document,"body");var topOf=reader(
Document,"documentElement");var titleOf=reader(Document,"title");var urlOf=reader(Document,"URL");var baseOf=reader(Node,
"baseURI");var activeOf=reader(Document,"activeElement");var scrollerOf=reader(Document,"scrollingElement");var animationsInDocument=caller(
Document,"getAnimations");var execCommand=caller(Document,"execCommand");var lockedOf=reader(Document,"pointerLockElemen\
t");var walkerOf=caller(Document,"createTreeWalker");var innerTextOf=reader(HTMLElement,"innerText");var editableOf=reader(HTMLElement,
"isContentEditable");var hasEditContext="editContext"in HTMLElement.prototype;var hasReflection="ariaLabelledByElements"in Element.prototype;var labelledByOf=hasReflection?reader(Element,"ariaLabell\
edByElements"):()=>null;var ELEMENT=1;var FRAGMENT=11;function isElement(node){return kindOf(node)===ELEMENT}function labelElementsOf(element){return tagOf(element)==="form"?[]:[...element.labels??[]]}function childElementsOf(parent){const found=[];for(let node=firstOf(parent);node;node=nextOf(node))if(isElement(node))found.
push(node);return found}var HOSTS=new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));function parentOrHostOf(element){const parent=parentOf(element);if(!parent)return null;if(kindOf(parent)===ELEMENT)return parent;
return kindOf(parent)===FRAGMENT?parent.host??null:null}var idOf=reader(Element,"id");var leftEdgeOf=reader(Element,"clientLeft");var topEdgeOf=reader(Element,"clientTop");function probeLocator(...given){
const[question,argument]=given.pop();const subject=given.pop();const SHORT=80;const squeeze=text=>(text??"").replace(/\s+/g,
" ").trim();const pathTo=element=>{const steps=[];for(let at=element;at;at=parentOrHostOf(at)){const id=idOf(at);if(id&&
rootOf(at)===document&&queryRoot(document,`#${CSS.escape(id)}`).length===1){steps.unshift(`#${CSS.escape(id)}`);break}const parent=parentOf(
at);const alike=(parent?childElementsOf(parent):[at]).filter(other=>tagOf(other)===tagOf(at));const place=alike.length>1?
`:nth-of-type(${alike.indexOf(at)+1})`:"";steps.unshift(CSS.escape(tagOf(at))+place)}return steps.join(" > ")};const nameOf=element=>{
const text=["aria-label","alt","title","placeholder"].map(name=>attributeOf(element,name)).find(Boolean);const words=element instanceof
HTMLElement?innerTextOf(element):"";return squeeze(labelElementsOf(element)[0]?.innerText??text??words).slice(0,SHORT)};
const elementAt=(x,y)=>{let found=hitInDocument(document,x,y);for(let root=found&&shadowOf(found);root;root=shadowOf(found)){
const deeper=hitInShadow(root,x,y);if(!deeper||deeper===found)break;found=deeper}return found};const answers={candidates:elements=>elements.
slice(0,5).map(element=>({value:pathTo(element),text:nameOf(element)})),at:(_,{x,y})=>{const found=elementAt(x,y);if(!found)
return null;const box=measure(found);const position={x:x-box.left-leftEdgeOf(found),y:y-box.top-topEdgeOf(found)};return{
css:pathTo(found),position,frame:/^i?frame$/.test(tagOf(found))}},indexAt:(elements,{x,y})=>elements.indexOf(elementAt(x,
y))};return answers[question](subject,argument)}return probeLocator;
})()
// program: page_listeners
(() => { "use strict";
var CLICK=1;var DOUBLE=2;var PRESS=4;var KINDS={__proto__:null,click:CLICK,auxclick:CLICK,mouseup:CLICK,pointerup:CLICK,
touchstart:CLICK,touchend:CLICK,dblclick:DOUBLE,mousedown:PRESS,pointerdown:PRESS};var PROPERTIES={__proto__:null,onClick:CLICK,
onMouseUp:CLICK,onPointerUp:CLICK,onTouchStart:CLICK,onTouchEnd:CLICK,onDoubleClick:DOUBLE,onMouseDown:PRESS,onPointerDown:PRESS};
var MAX_SOURCE=2e4;var MAX_SELECTORS=12;var MAX_HANDLERS=20;var MAX_NAME=40;var SEARCH=/(!\s{0,2}[\w$.?()= ]{0,60})?\.(?:closest|matches|is)\(\s*(["'`])((?:(?!\2)[^\\\n$]|\$(?!\{)){1,200})\2\s*\)(\s*\)*\s*\{?\s*return\s*(?:[;}]|$))?/g;
var COMPARISON=/(!\s{0,2}[\w$.?()]{0,30})?\btarget\??\.(?:classList\.contains\(\s*["'`]([\w-]+)["'`]\s*\)|dataset\.(\w+)|(?:tagName|nodeName)\s*([!=]==?)\s*["'`]([a-zA-Z][\w-]*)["'`])(\s*\)*\s*\{?\s*return\s*(?:[;}]|$))?/g;
var FINDING=/([\w$]+)\s*=\s*[\w$.?()]{1,60}\.closest\(/g;var RECEIVER=/([\w$]+)\??$/;var LIBRARY=/^(?:jQuery\d|__reactProps\$|__reactEventHandlers\$)/;
var MARKUP=/^(?:@|x-on:|v-on:)/;var{apply}=Reflect;var{keys,hasOwn}=Object;var{exec}=RegExp.prototype;var{toString}=Function.
prototype;var{slice,toLowerCase}=String.prototype;var{isArray}=Array;var{getAttributeNames,getAttribute}=Element.prototype;
var{get:lookUp,set:store}=WeakMap.prototype;var known=new WeakMap;function handlersOf(target,listeners,isElement){const handlers=[];
const types=keys(listeners);let isHeard=false;for(let i=0;i<types.length;i++){const kind=KINDS[types[i]];if(kind===void 0)
continue;isHeard=true;const all=listeners[types[i]];for(let j=0;j<all.length&&j<MAX_HANDLERS;j++)addHandler(handlers,kind,
all[j].listener)}const names=keys(target);for(let i=0;i<names.length;i++){if(apply(exec,LIBRARY,[names[i]])!==null)addOfLibrary(
handlers,target[names[i]])}if(isHeard&&isElement)addMarkup(handlers,target);return handlers}function addHandler(handlers,kind,handler){
if(typeof handler==="object"&&handler!==null)handlers[handlers.length]={kind,selectors:[]};if(typeof handler!=="function")
return;handlers[handlers.length]={kind,selectors:selectorsOf(handler)};const inner=hasOwn(handler,"value")?handler.value:
null;if(typeof inner==="function")handlers[handlers.length]={kind,selectors:selectorsOf(inner)}}function addOfLibrary(handlers,kept){
if(kept===null||typeof kept!=="object")return;const events=hasOwn(kept,"events")?kept.events:null;const types=events!==null&&
typeof events==="object"?keys(events):[];for(let i=0;i<types.length;i++){const kind=KINDS[types[i]];const all=kind===void 0?
[]:events[types[i]];for(let j=0;isArray(all)&&j<all.length&&j<MAX_HANDLERS;j++){if(typeof all[j].selector==="string")handlers[handlers.
length]={kind,selectors:[all[j].selector]};else addHandler(handlers,kind,all[j].handler)}}const names=events===null?keys(
kept):[];for(let i=0;i<names.length;i++){const kind=PROPERTIES[names[i]];if(kind!==void 0)addHandler(handlers,kind,kept[names[i]])}}
function addMarkup(handlers,element){const names=apply(getAttributeNames,element,[]);for(let i=0;i<names.length;i++){const mark=apply(
exec,MARKUP,[names[i]]);if(mark===null)continue;const type=apply(exec,/^\w+/,[apply(slice,names[i],[mark[0].length])]);const kind=type===
null?void 0:KINDS[type[0]];if(kind!==void 0)handlers[handlers.length]={kind,selectors:selectorsIn(apply(getAttribute,element,
[names[i]]))}}}function selectorsOf(handler){let selectors=apply(lookUp,known,[handler]);if(selectors===void 0){selectors=
selectorsIn(apply(toString,handler,[]));apply(store,known,[handler,selectors])}return selectors}function selectorsIn(source){
const text=apply(slice,source,[0,MAX_SOURCE]);const selectors=[];const results={__proto__:null};for(let found=next(FINDING,
text);found!==null;found=next(FINDING,text))results[found[1]]=true;for(let found=next(SEARCH,text);found!==null;found=next(
SEARCH,text)){const dot=found.index+(found[1]===void 0?0:found[1].length);const receiver=apply(exec,RECEIVER,[apply(slice,
text,[dot>MAX_NAME?dot-MAX_NAME:0,dot])]);if(receiver!==null&&results[receiver[1]]===true)continue;if(isFor(found[1]!==void 0,
found[4]!==void 0))add(selectors,found[3])}for(let found=next(COMPARISON,text);found!==null;found=next(COMPARISON,text)){
const isNegated=found[1]!==void 0!==(found[4]!==void 0&&found[4][0]==="!");if(!isFor(isNegated,found[6]!==void 0))continue;
if(found[2]!==void 0)add(selectors,`.${found[2]}`);else if(found[3]!==void 0)add(selectors,`[${attributeFor(found[3])}]`);else
add(selectors,apply(toLowerCase,found[5],[]))}return selectors}function isFor(isNegated,isGivenUp){return isNegated===isGivenUp}
function attributeFor(key){let name="data-";for(let i=0;i<key.length;i++)name+=key[i]>="A"&&key[i]<="Z"?`-${apply(toLowerCase,
key[i],[])}`:key[i];return name}function next(pattern,text){return apply(exec,pattern,[text])}function add(selectors,selector){
for(let i=0;i<selectors.length;i++)if(selectors[i]===selector)return;if(selectors.length<MAX_SELECTORS)selectors[selectors.
length]=selector}function answerForListeners(name){const tooMany=20;const maxTargets=2e3;const plain="html, head, head *, body, script, s\
tyle, template, br, option, a[href], button, input, select, textarea";const others=`:not(${plain})`;const channel=performance;
const listenersOf=getEventListeners;const Question=FocusEvent;const Answer=MouseEvent;const{apply:apply2}=Reflect;const{
hasOwn:hasOwn2,keys:keys2,getOwnPropertyDescriptor}=Object;const{dispatchEvent}=EventTarget.prototype;const{preventDefault}=Event.
prototype;const{matches}=Element.prototype;const queries=[Document,DocumentFragment,Element].map(({prototype})=>prototype.
querySelectorAll);const getter=(of,key)=>getOwnPropertyDescriptor(of,key).get;const rootOf=getter(Question.prototype,"re\
latedTarget");const topOf=getter(Document.prototype,"documentElement");const bodyOf=getter(Document.prototype,"body");const lengthOf=getter(
NodeList.prototype,"length");let targets=0;const ask=()=>apply2(dispatchEvent,channel,[new Question(name,{cancelable:true})]);
const report=(suffix,relatedTarget,screenX)=>apply2(dispatchEvent,channel,[new Answer(name+suffix,{relatedTarget,screenX})]);
const reportTargets=(holder,query,{kind,selectors})=>{for(let i=0;i<selectors.length;i++){let elements;try{elements=apply2(
query,holder,[selectors[i]])}catch{continue}const count=apply2(lengthOf,elements,[]);for(let j=0;j<count&&targets<maxTargets;j++){
if(!apply2(matches,elements[j],[others]))continue;targets++;report(">",elements[j],kind)}}};const reportOf=(target,query,isElement)=>{
try{const listeners=listenersOf(target);const handlers=handlersOf(target,listeners,isElement);let kinds=0;for(let i=0;i<
handlers.length;i++){kinds|=handlers[i].kind;reportTargets(isElement||query===queries[1]?target:document,query,handlers[i])}
const isOfFramework=keys2(listeners).length>=tooMany;if(kinds&&isElement&&!isOfFramework)report("!",target,kinds);return isOfFramework?
0:kinds}catch{return 0}};const answer=event=>{apply2(preventDefault,event,[]);const root=apply2(rootOf,event,[]);if(root===
null)return;targets=0;const isDocument=root===document;const all=apply2(queries[isDocument?0:1],root,[others]);const count=apply2(
lengthOf,all,[]);for(let i=0;i<count;i++)reportOf(all[i],queries[2],true);if(!isDocument)reportOf(root,queries[1],false);
if(isDocument){let kinds=reportOf(document,queries[0],false);const body=apply2(bodyOf,document,[]);if(body!==null)kinds|=
reportOf(body,queries[0],false);reportOf(apply2(topOf,document,[]),queries[0],false);reportOf(self,queries[0],false);if(kinds&
CLICK)report("#",null,0)}};const answerForPress=event=>{const listeners=listenersOf(apply2(rootOf,event,[]));if(hasOwn2(
listeners,"pointerdown")||hasOwn2(listeners,"mousedown"))apply2(preventDefault,event,[])};const answerForGesture=event=>{
const target=apply2(rootOf,event,[]);const handlers=handlersOf(target,listenersOf(target),true);for(let i=0;i<handlers.length;i++)
if(handlers[i].kind&(CLICK|PRESS))apply2(preventDefault,event,[])};const listen=(suffix,handle)=>channel.addEventListener(
name+suffix,event=>{try{handle(event)}catch{}});if(!ask())return;listen("",answer);listen("?",answerForPress);listen("&",
answerForGesture)}return answerForListeners;
})()
// program: registered_tools
(() => { "use strict";
async function registeredTools({max,declared,schemas}){const MAX_NAME=200;const MAX_WORDS=2e3;const MAX_SCHEMA=2e4;function plain(given){
const text=typeof given==="string"?given:JSON.stringify(given??null);if(!schemas||text.length>MAX_SCHEMA)return void 0;try{
const schema=JSON.parse(text);return schema&&typeof schema==="object"&&!Array.isArray(schema)?schema:void 0}catch{return void 0}}
const[page,browser]=[document,navigator];const context=page.modelContext??browser.modelContext;const known=await context?.
getTools?.()??[];const ours=known.filter(tool=>tool.window===void 0||tool.window===window);const registered=ours.filter(
tool=>!declared.includes(tool.name));const tools=registered.slice(0,max).map(tool=>({name:tool.name.slice(0,MAX_NAME),description:tool.
description?.slice(0,MAX_WORDS)||void 0,inputSchema:plain(tool.inputSchema)}));return{tools,total:registered.length}}return registeredTools;
})()
// program: serialiser
(() => { "use strict";
function keepSerialiser(name){const{stringify,parse}=JSON;const{apply}=Reflect;const define=Reflect.defineProperty;const{
keys,create,getPrototypeOf}=Object;const{isArray}=Array;const{toWellFormed,charCodeAt}=String.prototype;const{toString}=Function.
prototype;const{addEventListener}=EventTarget.prototype;const plain=Object.prototype;const Failure=TypeError;const page=globalThis;
const NATIVE="function toJSON() { [native code] }";function nativeJsonOf(value){const{toJSON}=value;return typeof toJSON===
"function"&&apply(toString,toJSON,[])===NATIVE?{value:apply(toJSON,value,[])}:null}function copyOf(value,around){if(typeof value===
"string")return apply(toWellFormed,value,[]);if(typeof value==="bigint")throw new Failure("the result holds a BigInt, wh\
ich JSON can't hold");if(typeof value==="function")return void 0;if(typeof value!=="object"||value===null)return value;for(let outer=around;outer;outer=
outer.next){if(outer.value===value)throw new Failure("the result is a circular structure, which JSON can't hold")}const inside={
__proto__:null,value,next:around};if(isArray(value))return copyOfList(value,inside);const native=getPrototypeOf(value)===
plain?null:nativeJsonOf(value);if(native)return copyOf(native.value,inside);const copy=create(null);const names=keys(value);
for(let i=0;i<names.length;i++)copy[apply(toWellFormed,names[i],[])]=copyOf(value[names[i]],inside);return copy}function copyOfList(list,inside){
const copy=[];define(copy,"toJSON",{__proto__:null,value:void 0});for(let i=0;i<list.length;i++){define(copy,i,{__proto__:null,
value:copyOf(list[i],inside),enumerable:true})}return copy}function bytesOf(json){let bytes=json.length;for(let i=0;i<json.
length;i++){const code=apply(charCodeAt,json,[i]);if(code>127)bytes+=code>2047&&(code<55296||code>57343)?2:1}return bytes}
function serialise(value,maxBytes){const json=stringify(copyOf(value,null))??"null";const isClear=json.length>maxBytes||
json.length*3<=maxBytes;return{__proto__:null,json,bytes:isClear?json.length:bytesOf(json)}}const lent={__proto__:null,serialise,
parse};const lend=()=>void define(page,name,{__proto__:null,value:lent,configurable:true});apply(addEventListener,performance,
[name,lend])}return keepSerialiser;
})()
