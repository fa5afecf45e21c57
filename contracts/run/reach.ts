import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Case, isUnsafe, plainCase } from '../cases/case.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { withoutQuery } from '../transcript/items.ts';
import { setupName } from './setup-call.ts';
import { ShownValues } from './shown-values.ts';
import type { Turn } from './turn.ts';

/** How often an operation is tried with other values. */
const maxTries = 3;

/** How often all are gone through: what one read shows may lead to another. */
const maxRounds = 3;

/** The share of the requests that are left which it may spend. */
const share = 0.4;

/**
 * Reads what no read reached, such as what is below two items, with values that answers showed. The
 * collections of the document have reads of their own.
 */
export async function reachReads({ session, options: { document } }: Turn): Promise<void> {
  const { transcript, choice } = session;
  const shown = new ShownValues(transcript.target.url, (name) =>
    session.values.get(setupName(name)),
  );
  const gone = new Set(transcript.exchanges.filter(isDeletion).map(pathOf));
  const asked = new Set(transcript.exchanges.filter(isRead).map(pathOf));
  const reached = new Set<Operation | undefined>();
  const learn = (exchange: Exchange) => {
    if (!isAnswered(exchange) || exchange.response.status >= 300 || !isRead(exchange)) return;
    reached.add(exchange.case.operation);
    if (!gone.has(pathOf(exchange))) shown.learn(exchange);
  };
  transcript.exchanges.forEach(learn);
  const hasOwnReads = (one: Operation) =>
    document.resources.some((resource) => resource === findResource(document, one));
  const open = document.operations
    .filter((one) => one.method === 'GET' && one.path.includes('{') && choice.isChosen(one))
    .filter((one) => !hasOwnReads(one))
    .toSorted((one, other) => one.path.length - other.path.length);
  const tries = new Map<Operation, number>();
  const least = session.left().requests * (1 - share);
  const isSpent = () =>
    session.stopped() !== undefined || session.left().requests < least || session.isShortOfCalls();
  for (let round = 0; round < maxRounds; round++) {
    const before = reached.size;
    for (const operation of open) {
      for (const path of reached.has(operation) ? [] : shown.pathsOf(operation)) {
        const number = (tries.get(operation) ?? 0) + 1;
        if (number > maxTries || isSpent()) break;
        if (asked.has(path) || gone.has(path)) continue;
        asked.add(path);
        tries.set(operation, number);
        const answer = await session.call(shownCase(operation, path, number));
        if (answer) learn(answer);
        if (reached.has(operation)) break;
      }
    }
    if (reached.size === before) return;
  }
}

function shownCase(operation: Operation, path: string, number: number): Case {
  return {
    ...plainCase(operation, `with shown values, ${number}`),
    path,
    purpose: { kind: 'call' },
    isMadeUp: true,
    priority: 3,
    writes: false,
  };
}

function isRead({ case: one }: Exchange): boolean {
  return one.operation !== undefined && !isUnsafe(one) && one.credential === 'valid';
}

function isDeletion({ case: { method }, response }: Exchange): boolean {
  return method === 'DELETE' && (response?.status ?? 500) < 300;
}

function pathOf({ request }: Exchange): string {
  return withoutQuery(request.path);
}
