import { builtInDocument } from '../../../common/built-in-document.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { TrafficJudge } from '../../../contracts/traffic/traffic-judge.ts';
import { compile } from '../../../openapi/index.ts';
import { openDeployment } from '../deployment.ts';
import { defaultKeys } from '../judge.ts';
import { recordTraffic, toKey } from './judge-traffic.ts';

/** Whether the calls of ordinary clients show something that a check judges, or why not. */
export type ShownCheck = { check: string; isShown: boolean; reason?: string };

/** Lets ordinary clients use a deployment that keeps all clauses, and says which checks that shows. */
export async function readShownByTraffic(): Promise<ShownCheck[]> {
  const { url: baseUrl, close } = await openDeployment({});
  const exchanges = await recordTraffic(baseUrl).finally(close);
  const document = await compile(builtInDocument);
  const judge = new TrafficJudge({ document, baseUrl, keys: defaultKeys.map(toKey) });
  for (const exchange of exchanges) await judge.add(exchange);
  const { clauses } = await judge.report();
  return checks.map(({ id }) => {
    const result = clauses.find((clause) => clause.id === id)?.results.target;
    const isShown = result !== undefined && result.held > 0;
    return { check: id, isShown, ...(result?.reason !== undefined && { reason: result.reason }) };
  });
}

/** A table of the checks: each can be judged by verify, and some by the calls of ordinary clients. */
export function toShownTable(shown: readonly ShownCheck[]): string {
  const rows = shown.map(({ check, isShown, reason }) => {
    const traffic = isShown ? 'yes' : reason === undefined ? 'no' : `unobserved: ${reason}`;
    return `| [${check}](#${check}) | yes | ${traffic} |`;
  });
  return [
    '| check | `verify` | [traffic](traffic.md) of ordinary clients |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
