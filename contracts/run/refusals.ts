import { isSame, membersOf, parseJson, toJson } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import type { Fields } from '../cases/body-parts.ts';
import type { Case } from '../cases/case.ts';
import { exampleValue } from '../cases/example-value.ts';
import { namedIn, withOwnItems } from '../cases/references.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { describeFields } from '../document/sendable-body.ts';
import type { Answered } from '../transcript/exchange.ts';
import { leavesOf } from '../transcript/made.ts';
import type { Lesson } from '../transcript/transcript.ts';

/** How often an operation is asked again with another body. */
const maxTries = 3;

/**
 * Texts that name no person and no item, whatever holds them: a color, the code of a language or a currency, and
 * times or schedules of digits. Another example may be somebody's name, address or item.
 */
const namingNobody =
  /^(?:#[\da-fA-F]{3,8}|[a-z]{2}(?:[-_][A-Z]{2})?|[A-Z]{2,3}|[\d :*,-]*[:*][\d :*,-]*)$/;

/** Statuses of deployments that may miss something in a body, and those that may refuse what is in it. */
export const incomplete = [400, 404, 409, 422, 500];
const refusing = [400, 422];

/** Learns from refusals that name a member, for the next bodies of the operation. */
export class Refusals {
  readonly #document: Api;
  readonly #isMarked: (value: unknown) => boolean;
  readonly #lessons = new Map<string, Lesson & { tries: number }>();

  constructor(document: Api, isMarked: (value: unknown) => boolean) {
    this.#document = document;
    this.#isMarked = isMarked;
  }

  /** Returns what was learned, of each operation. */
  all(): Lesson[] {
    return [...this.#lessons.values()];
  }

  /**
   * Returns the body of a case without what was refused, and with what was missed; `fill` replaces the
   * placeholders of that alone, as the rest may be what the target showed.
   */
  adjust(
    one: Case,
    body: string | undefined,
    fill: (text: string) => string | undefined,
  ): string | undefined {
    const lesson = this.#lessons.get(one.operation?.id ?? '');
    const value = body !== undefined && lesson && isMeant(one) ? parseJson(body) : undefined;
    const fields = lesson && this.#fieldsIn(lesson.operation, value);
    if (!lesson || !fields) return body;
    for (const name of lesson.without) delete fields[name];
    Object.assign(fields, parseJson(fill(toJson(lesson.with)) ?? '{}'));
    return toJson(value);
  }

  /** Learns from an answer; returns whether the next body differs, so that it is worth another try. */
  learn({ case: one, request, response }: Answered): boolean {
    const { operation } = one;
    if (!operation || !isMeant(one) || !incomplete.includes(response.status)) return false;
    const sent = typeof request.body === 'string' ? parseJson(request.body) : request.value;
    const fields = this.#fieldsIn(operation, request.value ?? sent);
    if (!fields) return false;
    const lesson = this.#lessonOf(operation);
    if (lesson.tries >= maxTries) return false;
    const { properties, required = [] } = describeFields(this.#document, operation);
    const named = namesIn(textsOf(response.json ?? response.text), Object.keys(properties));
    const values = named
      .filter((name) => !(name in lesson.with) && !lesson.without.includes(name))
      .map((name) => [name, this.#valueOf(name, properties[name] ?? {}, name in fields)] as const);
    const added = values.filter(
      ([name, value]) => value !== undefined && !isSame(value, fields[name]),
    );
    const isAdded = (name: string) => added.some(([other]) => other === name);
    const mayRefuse = refusing.includes(response.status);
    const open = named.filter(
      (name) => mayRefuse && name in fields && !required.includes(name) && !isAdded(name),
    );
    // Without its mark an item is nobody's, so that none would be created any more.
    const isMarked = (name: string) => leavesOf(fields[name]).some(this.#isMarked);
    const marks = Object.keys(fields).filter(isMarked);
    const refused = marks.every((name) => open.includes(name))
      ? open.filter((name) => !marks.includes(name))
      : open;
    if (refused.length === 0 && added.length === 0) return false;
    lesson.tries += 1;
    lesson.without.push(...refused);
    for (const name of refused) delete lesson.with[name];
    Object.assign(lesson.with, Object.fromEntries(added));
    this.#lessons.set(operation.id, lesson);
    return true;
  }

  /** Keeps the member with which a create was taken that was refused without it; of several, any may be it. */
  keep(operation: Operation, refused: Fields, taken: Fields): void {
    const [[name, value] = [''], ...others] = Object.entries(taken).filter(
      ([one]) => !(one in refused),
    );
    if (value === undefined || others.length > 0) return;
    const lesson = this.#lessonOf(operation);
    // A text has the name of its body, which the next ones do not share.
    const varied = typeof value === 'string' && value.replace('{{run}}', '{{run}} {{fresh}}');
    lesson.with[name] = varied || value;
    this.#lessons.set(operation.id, lesson);
  }

  /** Names the members that an answer says are missed in a body, and those that creates need. */
  missedIn({ case: one, response }: Answered, create: Operation | undefined): string[] {
    const { operation } = one;
    if (!operation || !incomplete.includes(response.status)) return [];
    const names = Object.keys(describeFields(this.#document, operation).properties);
    const learned = Object.keys((create && this.#lessons.get(create.id)?.with) ?? {});
    const named = namesIn(textsOf(response.json ?? response.text), names);
    return [...new Set([...named, ...learned.filter((name) => names.includes(name))])];
  }

  #lessonOf(operation: Operation): Lesson & { tries: number } {
    return this.#lessons.get(operation.id) ?? { operation, without: [], with: {}, tries: 0 };
  }

  /** The members of a body that an item is made of: in its wrapper, where it has one. */
  #fieldsIn(operation: Operation, body: unknown): Record<string, unknown> | undefined {
    const resource = findResource(this.#document, operation);
    const value = valueIn(body, resource?.bodyForm?.create?.pointer ?? []);
    return Array.isArray(value) ? undefined : membersOf(value);
  }

  /** A value for a member; for one whose value was refused, the one that the document shows, if it names nobody. */
  #valueOf(name: string, schema: Schema, isRefused: boolean): unknown {
    const field = { schema, name, value: exampleValue(this.#document, schema, name) };
    if (!isRefused) return withOwnItems(this.#document, undefined, field);
    const { example, examples, default: byDefault } = this.#document.schemas.resolve(schema);
    const isShown = (example ?? examples ?? byDefault) !== undefined;
    const namesNobody = typeof field.value === 'string' && namingNobody.test(field.value);
    return isShown && namesNobody && namedIn(this.#document, undefined, field).length === 0
      ? field.value
      : undefined;
  }
}

/** Whether a case sends a body that the document allows, to add something or to call an action. */
function isMeant({ operation, method, purpose, credential, isSetup }: Case): boolean {
  const isAdding = operation?.kind === undefined || rowOf(operation.kind).adds === true;
  const isFair = ['create', 'call', 'tidy'].includes(purpose.kind) && credential === 'valid';
  return !isSetup && isFair && isAdding && isUnsafe({ method }) && method !== 'DELETE';
}

/** The texts of an error that may name members: those that it holds, and names beside lists and objects. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('://') ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, one]) => [
    ...(typeof one === 'object' && one !== null ? [name] : []),
    ...textsOf(one),
  ]);
}

/** The names that texts mention, in whatever case; a name within a longer one does not count. */
function namesIn(texts: readonly string[], names: readonly string[]): string[] {
  const said = texts.map((text) => ` ${wordsOf(text).join(' ')} `);
  const phraseOf = (name: string) => ` ${wordsOf(name).join(' ')} `;
  const named = names.filter((name) => said.some((text) => text.includes(phraseOf(name))));
  return named.filter(
    (name) => !named.some((other) => other !== name && phraseOf(other).includes(phraseOf(name))),
  );
}
