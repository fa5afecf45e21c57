import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../contracts/document.ts';
import type { Served } from './app.ts';

/** Says what differs between what was served and what is, a phrase each; of a key its name alone. */
export function describeChange(before: Served, after: Served): string[] {
  const changes: string[] = [];
  if (before.document !== after.document) changes.push(withDetails('the document', documentDetails(before, after)));
  if (before.policy !== after.policy) changes.push(withDetails('plans', policyDetails(before.policy, after.policy)));
  const keys = keysDetails(before.keys, after.keys);
  if (keys.length > 0) changes.push(withDetails('keys', keys));
  for (const [name, text] of Object.entries(after.namedItems))
    if (text !== (before.namedItems[name] ?? '[]')) changes.push(`named items of ${name}`);
  return changes;
}

function documentDetails({ document: before }: Served, { document: after }: Served): string[] {
  const byTarget = (operations: readonly Operation[]) => new Map(operations.map((one) => [`${one.method} ${one.path}`, one.id]));
  const [one, other] = [byTarget(before.operations), byTarget(after.operations)];
  const details = differences(one, other, (target) => other.get(target) ?? one.get(target) ?? '');
  if (before.basePath !== after.basePath) details.push(`the API is under ${after.basePath || '/'} now`);
  return details;
}

function policyDetails(before: Served['policy'], after: Served['policy']): string[] {
  const details = differences(new Map(Object.entries(before.plans)), new Map(Object.entries(after.plans)), (name) => name);
  return isDeepStrictEqual(before.ban, after.ban) ? details : [...details, 'bans changed'];
}

/** The figures of a plan are left out, as each key carries those of its plan. */
function keysDetails(before: Served['keys'], after: Served['keys']): string[] {
  const byKey = (keys: Served['keys']) => new Map(keys.map(({ key, name, plan, own }) => [key, { name, plan: plan.name, own }]));
  const [one, other] = [byKey(before), byKey(after)];
  return differences(one, other, (key) => (other.get(key) ?? one.get(key))?.name ?? '');
}

function differences<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, nameOf: (id: string) => string): string[] {
  const added = [...after.keys()].filter((id) => !before.has(id));
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const changed = [...after].filter(([id, one]) => before.has(id) && !isDeepStrictEqual(before.get(id), one)).map(([id]) => id);
  return Object.entries({ added, removed, changed })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${what} ${shortened(ids.map(nameOf)).join(', ')}`);
}

function shortened(names: readonly string[]): string[] {
  return names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : [...names];
}

function withDetails(what: string, details: readonly string[]): string {
  return details.length > 0 ? `${what} (${details.join('; ')})` : what;
}
