import { parentPort, workerData } from 'node:worker_threads';
import type { JudgeSettings } from './judge-messages.ts';
import { serveJudge } from './serve-judge.ts';

// Runs in a thread of its own, as an exchange may not wait for the judging of others.
if (parentPort) await serveJudge(parentPort, workerData as JudgeSettings);
