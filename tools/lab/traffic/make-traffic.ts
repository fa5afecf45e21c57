import { batchJob, impatientReport } from './batch-job.ts';
import { createClient } from './client.ts';
import { frontEnd } from './front-end.ts';
import { newcomer } from './newcomer.ts';

/**
 * About 200 calls of ordinary clients to the API at an address that ends in /v1: a front end, an
 * import, a newcomer, and a report that meets its limit. None of them knows what it talks to.
 */
export async function makeTraffic(url: string): Promise<void> {
  await Promise.all([
    frontEnd(createClient(url, 'k-pro-1')),
    newcomer(createClient(url, 'k-free-2')),
  ]);
  await batchJob(createClient(url, 'k-pro-1'));
  await frontEnd(createClient(url, 'k-pro-1'));
  await impatientReport(createClient(url, 'k-free-1'));
}
