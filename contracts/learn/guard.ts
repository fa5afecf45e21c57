import { leavesIn, membersOf } from '../../common/json.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import { formOf, isTime } from '../fidelity/value-form.ts';
import type { LearnOptions } from './learn-members.ts';
import type { Line } from './lines.ts';
import { isAboutPerson, isNameOfPerson } from './may-keep.ts';
import type { Observation } from './observe.ts';

/**
 * Returns whether a line may be written, whatever it was learned by: it holds no secret of the
 * recordings, nor a text that they have of a person unless values are kept.
 */
export function createGuard(
  seen: readonly Observation[],
  { keepValues }: LearnOptions,
): (line: Line) => boolean {
  const secrets = secretsIn(seen);
  const texts = keepValues ? new Set<string>() : personalTextsIn(seen);
  const isFree = (text: string) =>
    !secrets.some((one) => text.includes(one)) && !runsOf(text).some((run) => texts.has(run));
  return ({ rule, value }) => [...rule, ...stringsIn(value)].every(isFree);
}

/** The length from which a secret is looked for in other values. */
const leastSecret = 6;

/** Finds the texts of recorded calls that are secrets by the names of their members and headers. */
function secretsIn(seen: readonly Observation[]): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, name: string) => {
    if (typeof value === 'string' && isSecretName(name))
      for (const one of value.split(/[\s;=,]+/)) found.add(one);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value))
        walk(one, isSecretName(name) || Array.isArray(value) ? name : key);
  };
  for (const { replayed, body, query } of seen) {
    for (const [name, value] of replayed.request.headers) walk(value, name);
    for (const one of [body, query, replayed.response.json]) walk(one, '');
  }
  return [...found].filter(({ length }) => length >= leastSecret);
}

/** The length from which a word of what is about a person is looked for in other values. */
const leastName = 3;

/** Finds the texts of recorded calls that are about persons, as runs of words; not those of errors. */
function personalTextsIn(seen: readonly Observation[]): Set<string> {
  const found = new Set<string>();
  const add = (text: unknown, name: string) => {
    if (typeof text !== 'string' || isTime(formOf(text, { name, owner: '' }))) return;
    if (!isAboutPerson(text, name) && !isProse(text)) return;
    const words = wordsIn(text);
    found.add(words.slice(0, longestRun).join(' '));
    // A message may have a part of a name.
    if (isNameOfPerson(name) && words.every(isName)) for (const word of words) found.add(word);
  };
  for (const { replayed, body, query } of seen) {
    const shown = replayed.outcome === 'refusal' ? undefined : replayed.response.json;
    for (const [text, name] of leavesIn([body, query, shown])) add(text, name);
  }
  for (const one of found) if (one.length < leastName) found.delete(one);
  return found;
}

/** Whether a text has several words, and one of letters alone, unlike records of settings such as `v=spf1 ~all`. */
function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length > 1 && words.some((word) => /^[\p{L}'’"(),.!?-]+$/u.test(word));
}

function isName(word: string): boolean {
  return word.length >= leastName && /^\p{Lu}\p{Ll}+$/u.test(word);
}

const longestRun = 8;

/** The runs of up to eight words in a text. */
function runsOf(text: string): string[] {
  const words = wordsIn(text);
  const lengths = Array.from({ length: longestRun }, (_, index) => index + 1);
  return words.flatMap((_, at) =>
    lengths.flatMap((length) =>
      at + length <= words.length ? words.slice(at, at + length).join(' ') : [],
    ),
  );
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_+-]+(?:[@.:][\p{L}\p{N}_+-]+)*/gu) ?? [];
}

/** The texts of a value of JSON, and the names of its members, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, one]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsIn(one),
  ]);
}
