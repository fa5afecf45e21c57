import { parseJson } from '../../common/json.ts';
import { hasPlaceholder } from '../cases/placeholders.ts';
import { shown } from '../clauses/check.ts';
import { renumbered, type Step } from './player.ts';
import type { Change, Input } from './subject.ts';

/** How many sequences are sent to find a smaller one, by default. */
const usualTries = 40;

/**
 * Finds the smallest sequence that still shows something, by sending smaller ones: with fewer steps,
 * with fewer things changed, and with shorter values. `shows` returns what a sequence shows, if it
 * shows the same.
 */
export async function shrink<Shown>(
  steps: readonly Step[],
  first: Shown,
  shows: (steps: readonly Step[]) => Promise<Shown | undefined>,
  maxTries = usualTries,
): Promise<{ steps: readonly Step[]; shown: Shown }> {
  let best = { steps, shown: first };
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerThan(best.steps)) {
      if (++tries > maxTries) return best;
      const shown = await shows(smaller);
      if (shown === undefined) continue;
      best = { steps: smaller, shown };
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Sequences that are a little smaller than another, the smallest first. */
function* smallerThan(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const index of steps.keys()) {
    const without = withoutStep(steps, index);
    if (without) yield without;
  }
  for (const [index, step] of steps.entries()) {
    for (const input of smallerInputs(step.input)) yield steps.with(index, { ...step, input });
  }
}

/** A sequence without one of its steps; undefined if a later one needs it. */
function withoutStep(steps: readonly Step[], index: number): readonly Step[] | undefined {
  const others = steps.filter((_, other) => other !== index);
  const isNeeded = others.some(({ on, bodyOf }) => on === index || bodyOf === index);
  if (others.length === 0 || isNeeded || steps[index + 1]?.isAtOnce) return undefined;
  return others.map((step) => renumbered(step, (at) => (at > index ? at - 1 : at)));
}

function* smallerInputs({ changes }: Input): Generator<Input> {
  if (changes.length > 1)
    for (const index of changes.keys()) {
      const left = changes.toSpliced(index, 1);
      yield { what: left.map(nameOf).join(', '), changes: left };
    }
  for (const [index, change] of changes.entries())
    for (const smaller of smallerChanges(change)) {
      const all = changes.with(index, smaller);
      yield { what: all.map(nameOf).join(', '), changes: all };
    }
}

/** The name of a change for people. */
function nameOf(change: Change): string {
  if (change.in === 'body')
    return 'isRemoved' in change
      ? `no ${change.at.join('.')}`
      : `${change.at.join('.')}: ${shownIn(change)}`;
  if (change.in === 'query') return `query ${change.name}: ${shown(change.texts.join(', '))}`;
  return `${'name' in change ? `${change.in} ${change.name}` : change.in}: ${shownIn(change)}`;
}

function shownIn(change: Change): string {
  if ('value' in change) return shown(change.value);
  return 'json' in change ? change.json : shown('text' in change ? change.text : change.in);
}

function smallerChanges(change: Change): Change[] {
  switch (change.in) {
    case 'body':
      return 'value' in change
        ? smallerValues(change.value).map((value) => ({ ...change, value }))
        : [];
    case 'text':
      return smallerTexts(change.text)
        .filter((text) => isJson(text) === isJson(change.text))
        .map((text) => ({ ...change, text }));
    case 'path':
    case 'header':
      return smallerTexts(change.text).map((text) => ({ ...change, text }));
    case 'query':
      return change.texts.length > 1
        ? [{ ...change, texts: change.texts.slice(1) }]
        : smallerTexts(change.texts[0] ?? '').map((text) => ({ ...change, texts: [text] }));
    default:
      return [];
  }
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Values that are smaller: fewer members or items, shorter texts, rounder numbers. */
function smallerValues(value: unknown): unknown[] {
  if (typeof value === 'string') return smallerTexts(value);
  if (typeof value === 'number') return [0, Math.trunc(value / 2)].filter((one) => one !== value);
  if (Array.isArray(value))
    return value.length > 0 ? [[], ...value.map((_, index) => value.toSpliced(index, 1))] : [];
  const members = Object.entries(value ?? {});
  return members.map((_, index) => Object.fromEntries(members.toSpliced(index, 1)));
}

/** The halves of a text, or without each of its last characters; one with a mark of the run stays. */
function smallerTexts(text: string): string[] {
  const characters = [...text];
  if (characters.length < 2 || hasPlaceholder(text) || text.includes('%')) return [];
  const half = Math.ceil(characters.length / 2);
  const halves = [characters.slice(0, half), characters.slice(half)];
  const shorter =
    characters.length <= 8 ? characters.map((_, index) => characters.toSpliced(index, 1)) : [];
  return [...halves, ...shorter].map((one) => one.join(''));
}
