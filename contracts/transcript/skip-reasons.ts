import type { Case } from '../cases/case.ts';

type NameDetails = { name: string };
type CountDetails = { requests: number };

/** The text of each reason why a planned case is not made; it continues "not made, as". */
const texts = {
  'no-value': ({ name }: NameDetails) => `nothing gave a value for ${name}`,
  'no-key': ({ schemes }: { schemes: readonly string[] }) =>
    `no key was given for its security scheme ${schemes.join(' or ')}`,
  'key-must-wait': 'the key has to wait after a 429',
  'quota-used-up': 'the quota of the keys is used up',
  'quota-short': 'the quota of the keys is short',
  'no-answers': ({ times }: { times: number }) => `the target did not answer ${times} times`,
  'max-requests': ({ requests }: CountDetails) =>
    `the run may make ${requests} requests (--max-requests)`,
  'share-used': ({ requests }: CountDetails) =>
    `its operation had its share of ${requests} requests (--max-requests)`,
  'out-of-time': 'the time for the run is over',
  'may-change-others': 'it may change items that the run did not create',
  'below-others': 'it creates below an item that the run did not create',
  'not-on-own': 'it is called on items of the run alone, and none was made for it',
  'refers-to-others': ({ name }: NameDetails) =>
    `${name} would name an item that the run did not create`,
  'never-deleted': ({ status }: { status: number }) =>
    `a deletion was answered ${status}, so items that it adds would stay`,
  'writes-not-allowed':
    'it may change something, and --allow-writes was not given, or --read-only was',
  unmarked: 'its body has no value that would show that the run created the item',
  'keeps-failing': 'each call of its operation failed',
  'answers-others': 'it returned an item that the run did not create',
  'never-proven': 'its items are not verified as created by this run',
  'key-stopped': 'the key stopped working',
  interrupted: 'the run was interrupted',
};

type Texts = typeof texts;
type Code = keyof Texts;
type Details<Text> = Text extends (details: infer Given) => string ? Given : unknown;

/** Why a case that was planned was not made. */
export type SkipReason = { [One in Code]: { code: One } & Details<Texts[One]> }[Code];

/** A case that was planned and not made. */
export type SkippedCase = { case: Case; reason: SkipReason };

/** Reasons that follow from another one, such as an item that no create made. */
const following: readonly Code[] = ['not-on-own', 'may-change-others', 'below-others', 'no-value'];

/** Reasons that leave a run incomplete: more could have been made. */
const incomplete: readonly Code[] = [
  ...(['quota-used-up', 'quota-short', 'no-answers', 'max-requests', 'share-used'] as const),
  ...(['out-of-time', 'interrupted'] as const),
];

/** Returns the first reason that follows from no other, if there is one. */
export function firstCause(skipped: readonly SkippedCase[]): SkipReason | undefined {
  const rankOf = ({ code }: SkipReason) => following.indexOf(code);
  return skipped
    .map(({ reason }) => reason)
    .toSorted((left, right) => rankOf(left) - rankOf(right))[0];
}

/** The reason for a person; it continues "not made, as". */
export function toSkipText(reason: SkipReason): string {
  const text = texts[reason.code] as string | ((details: SkipReason) => string);
  return typeof text === 'string' ? text : text(reason);
}

/** Whether a skipped case leaves the run incomplete. */
export function isMissed({ reason }: SkippedCase): boolean {
  return incomplete.includes(reason.code);
}
