// Where threads spend their time: samples and system calls, as perf records them. Needs perf, and the rights to trace.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const SAMPLES_HZ = 4999;

const readProc = (file) => {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
};

// { used_us, switches } of a thread: processor time, and how often it was put aside, by itself or by force.
export function readThread(pid, tid = pid) {
  const stat = readProc(`${pid}/task/${tid}/schedstat`);
  const status = readProc(`${pid}/task/${tid}/status`);
  if (stat === undefined || status === undefined) return { used_us: 0, switches: 0 };
  const switches = [...status.matchAll(/ctxt_switches:\s+(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { used_us: Number(stat.split(' ')[0]) / 1000, switches };
}

export const threadsOf = (pid) => readdirSync(`/proc/${pid}/task`).map(Number);

// Processes whose parent this is.
export function childrenOf(pid) {
  const parent = (each) => Number(readProc(`${each}/stat`)?.replace(/^.*\) /s, '').split(' ')[1]);
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parent(name) === pid).map(Number);
}

// The folder of each function of ours, as the object files tell.
export function foldersOfFunctions(build) {
  const objects = readdirSync(path.join(build, 'CMakeFiles'), { recursive: true }).filter((name) => name.endsWith('.c.o'));
  const folders = new Map();
  const output = execFileSync('nm', ['-A', '--defined-only', ...objects], { cwd: path.join(build, 'CMakeFiles'), encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const [, object, symbol] of output.matchAll(/^(\S+?):\S+ [tT] (\S+)$/gm)) folders.set(symbol.replace(/\..*$/, ''), path.dirname(object.replace(/^[^/]+\.dir\//, '')));
  return folders;
}

// How long which group of functions ran of each thread, as a part of 1. `groupOf({ symbol, program, call })`: the function, the
// file it is in, and the system call that it works for, if any.
export async function sample(run, threads, file, groupOf) {
  const recording = ['perf', 'record', '-q', '-g', '-e', 'cpu-clock', '-F', String(SAMPLES_HZ), '-o', file, '-t', threads.join(',')];
  await run(recording);
  const output = execFileSync('perf', ['script', '-i', file, '-F', 'tid,ip,sym,dso'], { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
  const counts = new Map(threads.map((thread) => [thread, new Map()]));
  for (const block of output.split('\n\n')) {
    const [head, ...frames] = block.trim().split('\n');
    const of = counts.get(Number(head));
    const names = frames.map((frame) => /^\s*[\da-f]+ (\S+) \((.*)\)$/.exec(frame)).filter(Boolean);
    if (of === undefined || names.length === 0) continue;
    const call = names.map(([, symbol]) => /^__(?:x64_|do_)?sys_(\w+)/.exec(symbol)?.[1]).find(Boolean);
    const group = groupOf({ symbol: names[0][1], program: path.basename(names[0][2]), call });
    of.set(group, (of.get(group) ?? 0) + 1);
  }
  return counts;
}

// Times, in microseconds, in each system call of each thread and between each two that follow each other: keys are `fdatasync` and
// `recvfrom > pwrite64`.
export async function traceCalls(run, threads, file, nameOfCall) {
  await run(['perf', 'record', '-q', '-e', 'raw_syscalls:sys_enter,raw_syscalls:sys_exit', '-o', file, '-t', threads.join(',')]);
  const output = execFileSync('perf', ['script', '-i', file, '--ns', '-F', 'tid,time,event,trace'], { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
  const times = new Map(threads.map((thread) => [thread, new Map()]));
  const last = new Map();
  const note = (tid, key, time) => {
    const of = times.get(Number(tid));
    if (of === undefined) return;
    if (!of.has(key)) of.set(key, []);
    of.get(key).push(time);
  };
  for (const [, tid, seconds, event, number] of output.matchAll(/^\s*(\d+)\s+([\d.]+):\s+raw_syscalls:sys_(enter|exit):\s+NR (\d+)/gm)) {
    const at = Number(seconds) * 1e6;
    const name = nameOfCall.get(Number(number)) ?? number;
    const before = last.get(tid);
    if (event === 'enter' && before?.left !== undefined) note(tid, `${before.name} > ${name}`, at - before.left);
    else if (event === 'exit' && before?.name === name) note(tid, name, at - before.entered);
    last.set(tid, event === 'enter' ? { name, entered: at } : { name, left: at });
  }
  return times;
}
