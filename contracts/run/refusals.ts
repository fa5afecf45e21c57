import { isSame, membersOf, parseJson, toJson } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { valueIn } from '../../common/property-path.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { toValueText } from '../cases/bodies.ts';
import type { Fields } from '../cases/body-parts.ts';
import { type Case, isUnsafe } from '../cases/case.ts';
import { exampleValue, narrowest, toPlain, withItem } from '../cases/example-value.ts';
import { freshText } from '../cases/fresh-value.ts';
import { fileInBase64 } from '../cases/made-files.ts';
import { collectionsCalled, namedIn, ownValue, withOwnItems } from '../cases/references.ts';
import { describeFields, sendableBodyOf } from '../document/sendable-body.ts';
import { type Answer, sentValue } from '../transcript/exchange.ts';
import { withoutQuery } from '../transcript/items.ts';
import { leavesOf } from '../transcript/made.ts';
import type { Lesson } from '../transcript/transcript.ts';
import { parametersIn } from './item-paths.ts';

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

/** A collection of which a call needs an item of the run, and the parameter of its path that names it. */
export type Need = { resource: Resource; parameter?: string };

/** Learns from refusals that name a member, for the next bodies of the operation. */
export class Refusals {
  readonly #document: Api;
  readonly #isMarked: (value: unknown) => boolean;
  readonly #lessons = new Map<string, Lesson & { tries: number }>();
  readonly #needs = new Map<Operation, Need[]>();
  /** Parameters of the query that were missed, by the ids of operations. */
  readonly #missed = new Map<string, Readonly<Record<string, unknown>>>();

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
    Object.assign(fields, parseJson(fill(toValueText(lesson.with)) ?? '{}'));
    for (const { at, value: chosen } of lesson.chosen ?? []) {
      const holder = membersOf(valueIn(value, at.slice(0, -1)));
      const name = at.at(-1) ?? '';
      if (holder && name in holder) holder[name] = chosen;
    }
    return toJson(value);
  }

  /** Returns the path of a case with the parameters of its query that were missed. */
  address(one: Case, path: string, fill: (text: string) => string | undefined): string {
    const missed = isPlain(one) && this.#missed.get(one.operation?.id ?? '');
    const values = missed ? membersOf(parseJson(fill(toValueText(missed)) ?? '')) : undefined;
    const sent = new URLSearchParams(path.split('?')[1]);
    const added = Object.entries(values ?? {})
      .filter(([name]) => !sent.has(name))
      .map((pair) => pair.map((text) => encodeURIComponent(String(text))).join('='));
    return added.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${added.join('&')}`;
  }

  /** Learns which optional parameters of the query a refusal names; returns whether it names any. */
  #learnQuery({ case: one, request, response }: Answer): boolean {
    const { id = '', parameters = [] } = one.operation ?? {};
    if (!isPlain(one) || !refusing.includes(response.status) || this.#missed.has(id)) return false;
    const sent = new URLSearchParams(request.path.split('?')[1]);
    const open = parameters.filter((each) => each.in === 'query' && !sent.has(each.name));
    const texts = textsOf(response.json ?? response.text);
    const named = namesIn(
      texts,
      open.map(({ name }) => name),
    );
    const values = open
      .filter(({ name }) => named.includes(name))
      .map(({ name, schema }) => [name, this.#valueOf(name, schema, false)] as const)
      .filter(([, value]) => value !== undefined && typeof value !== 'boolean');
    if (values.length > 0) this.#missed.set(id, Object.fromEntries(values));
    return values.length > 0;
  }

  /** Learns from an answer; returns whether the next request differs, so that it is worth another try. */
  learn(answered: Answer): boolean {
    const { case: one, request, response } = answered;
    const { operation } = one;
    if (this.#learnQuery(answered)) return true;
    if (operation) this.#learnNeeds(answered, operation);
    if (!operation || !isMeant(one) || !incomplete.includes(response.status)) return false;
    const body = sentValue({ request });
    const fields = this.#fieldsIn(operation, body);
    if (!fields) return false;
    const lesson = this.#lessonOf(operation);
    if (lesson.tries >= maxTries) return false;
    const { properties, required = [] } = describeFields(this.#document, operation);
    const texts = textsOf(response.json ?? response.text);
    const named = namesIn(texts, Object.keys(properties));
    const isOpen = (name: string) => !(name in lesson.with) && !lesson.without.includes(name);
    const isSent = (name: string) => name in fields && !isSame(fields[name], []);
    const valuesOf = (names: readonly string[]) =>
      names
        .filter((name) => isOpen(name) || isSent(name))
        .map((name) => [name, this.#valueOf(name, properties[name] ?? {}, isSent(name))] as const)
        .filter(([name, value]) => value !== undefined && !isSame(value, fields[name]));
    const added = valuesOf(named);
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
    if (refused.length === 0 && added.length === 0) {
      const chosen = mayRefuse ? this.#chooseOther(operation, { texts, body }) : undefined;
      const plain = mayRefuse && !chosen ? marks.filter(isOpen) : [];
      added.push(...plain.filter((name) => / /.test(String(fields[name]))).map(toOneWord));
      // Where nothing is named, an action may miss any member.
      const isSilent = operation.kind === undefined && named.length + added.length === 0;
      const rest = Object.keys(properties).filter((name) => !(name in fields));
      if (isSilent && !chosen) added.push(...valuesOf(rest));
      if (chosen) lesson.chosen = [...(lesson.chosen ?? []), chosen];
      else if (added.length === 0) return false;
    }
    lesson.tries += 1;
    lesson.without.push(...refused);
    for (const name of refused) delete lesson.with[name];
    Object.assign(lesson.with, Object.fromEntries(added));
    this.#lessons.set(operation.id, lesson);
    return true;
  }

  /** Takes what an operation needs items of the run for, as its last refusal said. */
  takeNeeds(operation: Operation | undefined): Need[] {
    const needs = operation && this.#needs.get(operation);
    if (needs) this.#needs.delete(operation);
    return needs ?? [];
  }

  /** Learns which items a refusal misses that quotes a text of the run: `no user called c43e55000001`. */
  #learnNeeds({ case: one, request, response }: Answer, operation: Operation): void {
    if (!isMeant(one) || response.status === 409 || !incomplete.includes(response.status)) return;
    const texts = textsOf(response.json ?? response.text);
    const missed = (value: unknown) =>
      texts
        .filter((text) => this.#isMarked(value) && text.includes(String(value)))
        .flatMap(wordsOf)
        .flatMap((word) => collectionsCalled(this.#document, word))
        .find((resource) => resource !== findResource(this.#document, operation));
    const needs: Need[] = [];
    for (const { name, path } of parametersIn(
      operation.path,
      withoutQuery(request.path).split('/'),
    )) {
      const resource = missed(unescaped(path.split('/').at(-1) ?? ''));
      if (resource) needs.push({ resource, parameter: name });
    }
    const fields = this.#fieldsIn(operation, sentValue({ request })) ?? {};
    const lesson = this.#lessonOf(operation);
    for (const [name, value] of Object.entries(fields)) {
      const resource = [value]
        .flat()
        .map(missed)
        .find((one) => one !== undefined);
      if (!resource) continue;
      const own = ownValue(resource, resource.idProperty, freshText);
      lesson.with[name] = Array.isArray(value) ? [own] : own;
      this.#lessons.set(operation.id, lesson);
      needs.push({ resource });
    }
    this.#needs.set(operation, needs);
  }

  /** Chooses the next value of an `enum` for a member that texts name, at any depth of a body. */
  #chooseOther(
    operation: Operation,
    { texts, body }: { texts: readonly string[]; body: unknown },
  ): ChosenValue | undefined {
    const { schema = {} } = sendableBodyOf(operation) ?? {};
    const all = choicesIn(this.#document, schema, body);
    const nameOf = ({ at }: Choice) => at.at(-1) ?? '';
    const named = namesIn(texts, all.map(nameOf));
    const choice = all.find((one) => named.includes(nameOf(one)));
    if (!choice) return undefined;
    const { at, value, values } = choice;
    return { at, value: values[(values.indexOf(value) + 1) % values.length] };
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
  missedIn({ case: one, response }: Answer, create: Operation | undefined): string[] {
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
    const value = valueIn(body, operation.fieldsAt ?? []);
    return Array.isArray(value) ? undefined : membersOf(value);
  }

  /** A value for a member; for one whose value was refused, the one that the document shows, if it names nobody. */
  #valueOf(name: string, schema: Schema, isRefused: boolean): unknown {
    if (!isRefused) {
      // A list that is missed is one with an item.
      const filled = withItem(this.#document, schema);
      const value = exampleValue(this.#document, filled, name);
      return withOwnItems(this.#document, undefined, { schema, name, value });
    }
    const field = { schema, name, value: exampleValue(this.#document, schema, name) };
    const {
      example,
      examples,
      default: byDefault,
      ...rest
    } = this.#document.schemas.resolve(schema);
    const isFile =
      rest.contentEncoding === 'base64' || /\bbase64\b/i.test(String(rest.description));
    if (isFile && typeof field.value === 'string') return fileInBase64(name);
    const isShown = (example ?? examples ?? byDefault) !== undefined;
    const namesNobody = typeof field.value === 'string' && namingNobody.test(field.value);
    return isShown && namesNobody && namedIn(this.#document, undefined, field).length === 0
      ? field.value
      : undefined;
  }
}

type ChosenValue = NonNullable<Lesson['chosen']>[number];

/** A member of a body by its path, whose schema lists its values. */
type Choice = { at: string[]; value: unknown; values: readonly unknown[] };

/** Returns the members of a value that have one of several values that their schemas list. */
function choicesIn(document: Api, schema: Schema, value: unknown, at: string[] = []): Choice[] {
  const { schema: plain = {}, properties = {} } = toPlain(document, schema, { like: value }) ?? {};
  const { enum: listed } = plain;
  const values = Array.isArray(listed) && narrowest(listed);
  if (values) return values.length > 1 && at.length > 0 ? [{ at, value, values }] : [];
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, one]) => {
    const described = properties[name];
    return described ? choicesIn(document, described, one, [...at, name]) : [];
  });
}

/** A text by which the run knows its items, in one word: a deployment may allow no spaces. */
function toOneWord(name: string): [name: string, value: unknown] {
  return [name, freshText];
}

/** Whether a case calls an operation as the document allows it, for its own sake. */
function isPlain({ purpose, credential, isSetup }: Case): boolean {
  return purpose.kind === 'call' && credential === 'valid' && !isSetup;
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
