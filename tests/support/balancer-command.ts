import { spawnSync } from 'node:child_process';

/** How to get what the tests of the balancer need. */
export const howToGetBalancer = 'The tests of the balancer need HAProxy: apt-get install haproxy.';

/** Whether HAProxy can be run here. */
export function findBalancer(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0;
}
