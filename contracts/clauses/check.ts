import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { builtInDocument } from '../../common/built-in-document.ts';
import { type JsonObject, toJson } from '../../common/json.ts';
import { toClauses } from '../../common/prose/sections.ts';
import type { Api } from '../../openapi/index.ts';
import type { CaseKind, Purpose } from '../cases/case.ts';
import type { Answer, Exchange } from '../transcript/exchange.ts';
import { textOf } from '../transcript/items.ts';
import { noJson, type SchemaProblem } from '../transcript/schema/problems.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Need } from './needs.ts';

/**
 * The rule that a check tests: a section of the interface, an RFC, or an incomplete description.
 * The basis decides the verdict.
 */
export type Clause = {
  basis: 'stated' | 'standard' | 'described';
  source: string;
  text: string;
};

/** A violation that a check found, with the exchange that shows it. */
export type Violation = {
  exchange: Exchange;
  message: string;
  /** Each thing that is wrong, in a sentence, where there are several. */
  problems?: string[];
  expected: string;
  actual: string;
  /**
   * Set if no clause is broken: `unanswered` without a complete response, `client` if the target is
   * not at fault.
   */
  verdict?: 'unanswered' | 'client';
  /** The clause that it breaks, where the document states that of its check of other operations. */
  clause?: Clause;
  /** The exchanges that lead to it, in order, where it takes several. */
  before?: readonly Exchange[];
  /** How many more exchanges show the same, of which nothing was retained. */
  alike?: number;
  /** Violations that are the same for a person share it; the message where it is not given. */
  group?: string;
  /**
   * The subjects of the violation, such as an item, as {@link aboutItem} names them. Violations
   * with the same subject may have one cause.
   */
  about?: readonly string[];
  /** Names the fault of a body, in the same words for all bodies with that fault. */
  faults?: readonly string[];
};

/** Takes what a check reports. */
export interface Judge {
  /** Counts one thing that the clause was applied to; a violation if it does not hold. */
  hold(holds: boolean, exchange: Exchange, violation: () => Omit<Violation, 'exchange'>): void;
  /** Says why nothing, or not everything, could be decided. */
  inconclusive(reason: string): void;
}

/** Judges a transcript by one clause. */
export type Check = {
  id: string;
  /** As the interface of the Pet Store Service words it. */
  clause: Clause;
  /** Why it judged nothing, where it had nothing to judge. */
  unheld: string;
  /** The kinds of case whose answers it judges, where it judges no others. */
  cases?: readonly Purpose['kind'][];
  /** The kinds of case to send if only this check is selected; by default all. */
  needsCases?: readonly CaseKind[];
  /** The statement that a document must contain for the check to apply. */
  needs: Need;
  /** Whether a document that states what it needs states the clause with it, as the RFC has it. */
  isStatedByNeed?: true;
  /** Finds where a document states the clause for some of its operations, as a JSON pointer. */
  findStated?: (document: Api) => string | undefined;
  /** How the clause reads in another document, where it reads otherwise. */
  general?: string;
  /**
   * The check for a document that does not word the clause: what it needs, its text, and how it
   * judges. It leaves open what no document states.
   */
  byItself?: Pick<Check, 'needs' | 'unheld' | 'judge'> & { general: string };
  /**
   * Ids of checks whose violations cause violations of this one, on the same exchange or
   * about the same things; its own id where all that it finds about one thing has one cause.
   */
  follows?: readonly (string | { check: string; when: (violation: Violation) => boolean })[];
  /**
   * The part of an answer that it judges, where it judges one: what it finds there is no mere
   * difference between targets.
   */
  part?: 'status' | 'headers' | 'body';
  /** Describes all violations of one operation as one, for a check that reports them so. */
  sumUp?: (violations: readonly Violation[]) => Violation;
  /** Whether violations of two kinds have one cause, so that they are summed up together. */
  isAlike?: (left: readonly Violation[], right: readonly Violation[]) => boolean;
  judge(transcript: Transcript, judge: Judge): void;
};

/** Names items by their ids, for {@link Violation.about}. */
export function aboutItem(...ids: unknown[]): { about: string[] } {
  return { about: ids.map((id) => `item ${textOf(id) ?? 'without an id'}`) };
}

/** Names members of an item, for {@link Violation.about}. */
export function aboutMember(id: unknown, ...names: string[]): { about: string[] } {
  const [item = ''] = aboutItem(id).about;
  return { about: names.map((name) => `"${name}" of ${item}`) };
}

/** Names a status of an operation, for {@link Violation.about}. */
export function aboutStatus(exchange: Exchange): { about: string[] } {
  return { about: [`${exchange.response?.status} of ${called(exchange)}`] };
}

const maxShown = 120;

/** Names the counter of the key that an exchange was sent with, for {@link Violation.about}. */
export function aboutCounter({ request }: Pick<Exchange, 'request'>): { about: string[] } {
  return { about: [`counter of ${request.keyName}`] };
}

/** A value as a person reads it in a finding, cut at 120 characters. */
export function shown(value: unknown): string {
  const text = toJson(beginningOf(value));
  return text.length > maxShown ? `${text.slice(0, maxShown - 3)}...` : text;
}

/**
 * As much of a value as can be shown, so that a large one costs no more than a small one; each
 * value shows a character at least.
 */
function beginningOf(value: unknown, left = { values: maxShown }): unknown {
  left.values -= 1;
  if (typeof value === 'string') return value.slice(0, maxShown);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (left.values < 0) break;
      items.push(beginningOf(item, left));
    }
    return items;
  }
  const members: [string, unknown][] = [];
  for (const name in value) {
    if (left.values < 0) break;
    members.push([name, beginningOf((value as Record<string, unknown>)[name], left)]);
  }
  return Object.fromEntries(members);
}

/** A member of an item as a person reads it in a finding. */
export function shownMember(item: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(item, name) ? `"${name}": ${shown(item[name])}` : `no "${name}"`;
}

/** A body as it was sent, cut at 120 characters. */
export function shownBody({ text }: { text: string }): string {
  if (text.trim() === '') return 'an empty body';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** An answer as a person reads it in a finding: its status, and its body. */
export function shownAnswer({ status, text }: { status: number; text: string }): string {
  return text.trim() === '' ? String(status) : `${status} ${shownBody({ text })}`;
}

/** The exchange with the shortest response shows it best. */
export function clearest(violations: readonly Violation[]): Violation {
  const size = ({ exchange: { response, request } }: Violation) =>
    (response?.text.length ?? 0) + String(request.body ?? '').length + request.path.length;
  return violations.reduce((best, other) => (size(other) < size(best) ? other : best));
}

/** How a person calls the case of an exchange. */
export function called({ case: { method, operation } }: Exchange): string {
  return operation?.id ?? method;
}

const clauses = toClauses(load(readFileSync(builtInDocument, 'utf8')) as JsonObject);

/** The clause of a check as the Pet Store Service's own document words it. */
export function clauseOf(id: string): Clause {
  const clause = clauses.find((one) => one.id === id);
  if (!clause) throw new Error(`There is no clause "${id}" in ${builtInDocument}.`);
  return { basis: 'stated', source: clause.source, text: clause.text };
}

/** How many things that are wrong with bodies are named. */
export const maxSentences = 10;

/** A violation by a body that breaks its schema: `what` the answer does, and in which ways. */
export function toWrongBody(
  what: string,
  response: Answer['response'],
  problems: readonly SchemaProblem[],
): Pick<Violation, 'message' | 'problems' | 'expected' | 'actual'> {
  const reason = response.text.trim() === '' ? 'it is empty' : 'it is not JSON';
  const isRead = !problems.includes(noJson);
  const found = isRead ? problems : [];
  const sentences = isRead ? found.map(({ problem }) => problem) : [reason];
  const more = sentences.length - maxSentences;
  return {
    message: `${what}: ${sentences[0]}${sentences.length > 1 ? ` (and ${sentences.length - 1} more)` : ''}`,
    ...(sentences.length > 1 && {
      problems: [...sentences.slice(0, maxSentences), ...(more > 0 ? [`and ${more} more`] : [])],
    }),
    expected: found[0]?.expected ?? 'a JSON body that matches its schema',
    actual: found[0]?.actual ?? shownBody(response),
  };
}
