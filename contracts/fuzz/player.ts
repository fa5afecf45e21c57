import type { Operation } from '../../openapi/index.ts';
import { makeableIn } from '../cases/call-cases.ts';
import { pathOnItem } from '../run/item-paths.ts';
import { fillWith, makePlace, referToOwn } from '../run/own-item.ts';
import { settledId } from '../run/prove-made.ts';
import type { Session } from '../run/session.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { toSegment, withoutQuery } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import type { Input, Subject } from './subject.ts';
import { toCase, withoutHarm } from './to-case.ts';

/**
 * A call of a sequence. `on`: the step that made the item that it names, or is below. `bodyOf`: the
 * step whose body it sends again. `isAtOnce`: it is sent together with the step before.
 */
export type Step = {
  subject: Subject;
  input: Input;
  on?: number;
  bodyOf?: number;
  isAtOnce?: boolean;
};

/** A step whose references to others are changed as the numbers of these are. */
export function renumbered({ on, bodyOf, ...step }: Step, toNew: (at: number) => number): Step {
  return {
    ...step,
    ...(on !== undefined && { on: toNew(on) }),
    ...(bodyOf !== undefined && { bodyOf: toNew(bodyOf) }),
  };
}

/** A step that was sent, and its answer. */
export type PlayedStep = { step: Step; exchange: Exchange };

/** The status of an answer; 0 where there is none. */
export function statusOf({ exchange }: PlayedStep): number {
  return exchange.response?.status ?? 0;
}

/** Whether a step was answered with a success. */
export function isSuccess(one: PlayedStep): boolean {
  return statusOf(one) >= 200 && statusOf(one) < 300;
}

/** How many calls an item of the run is changed by before another one is made. */
const maxUses = 25;

/** Sends sequences of calls, each on items that were made for it. */
export class Player {
  readonly #session: Session;
  /** The items that sequences share whose first step would make one. */
  readonly #shared = new Map<Subject, { create: Exchange; uses: number }>();
  /** The paths of nested collections, below items of the run. */
  readonly #above = new Map<Subject, string>();
  #number = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Sends the steps in order, up to one that cannot be sent. With `isShared`, a first step that plainly
   * makes an item takes one that is there; with `waits`, what follows a deletion is sent a while
   * later. Undefined if not every step could be sent, or may be.
   */
  async play(
    given: readonly Step[],
    { isShared = false, waits = false }: { isShared?: boolean; waits?: boolean } = {},
  ): Promise<PlayedStep[] | undefined> {
    const { transcript, isTemporary } = this.#session;
    const steps = given.flatMap((step) => {
      const { subject, input } = step;
      const safe = isTemporary ? input : withoutHarm(transcript.document, subject, input);
      return safe ? [{ ...step, input: safe }] : [];
    });
    if (steps.length < given.length) return undefined;
    const played: PlayedStep[] = [];
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as Step;
      const isAfterDeletion = steps[index - 1]?.subject.operation.kind === 'delete';
      if (waits && isAfterDeletion) await this.#session.pause(grace);
      const first =
        isShared && index === 0 && steps.length > 1 ? await this.#share(step) : undefined;
      const beside = steps[index + 1]?.isAtOnce ? steps[index + 1] : undefined;
      const sent = first
        ? [first]
        : await Promise.all(
            [step, ...(beside ? [beside] : [])].map((one) =>
              this.#send(one, played, beside !== undefined),
            ),
          );
      for (const [offset, exchange] of sent.entries()) {
        if (!exchange) return undefined;
        played.push({ step: steps[index + offset] as Step, exchange });
      }
      if (beside) index += 1;
    }
    return played;
  }

  async #share(step: Step): Promise<Exchange | undefined> {
    const { subject, input } = step;
    if (subject.does !== 'create' || input.changes.length > 0) return undefined;
    const known = this.#shared.get(subject);
    if (known && known.uses++ < maxUses) return known.create;
    const create = await this.#send(step, []);
    if (!create || !(await settledId(this.#session, create))) return create;
    this.#shared.set(subject, { create, uses: 0 });
    return create;
  }

  /** Whether an item is one that sequences share. */
  isShared(create: Exchange): boolean {
    return [...this.#shared.values()].some((one) => one.create === create);
  }

  /** Gives up the shared items, so that the next sequences make others; returns their creates. */
  release(): Exchange[] {
    const creates = [...this.#shared.values()].map(({ create }) => create);
    this.#shared.clear();
    return creates;
  }

  async #send(
    step: Step,
    played: readonly PlayedStep[],
    isAtOnce = false,
  ): Promise<Exchange | undefined> {
    const { subject, input, on, bodyOf } = step;
    const session = this.#session;
    const path =
      on === undefined ? await this.#plainPath(subject) : await this.#pathOn(played[on], subject);
    if (path === 'none') return undefined;
    const repeated = bodyOf === undefined ? undefined : played[bodyOf]?.exchange.request.body;
    const one = toCase(session.transcript.document, subject, {
      ...{ input, path, number: ++this.#number },
      ...(typeof repeated === 'string' && { body: repeated }),
    });
    return isAtOnce ? session.callNow(one) : session.call(one);
  }

  /** The path of a call on no item: of a nested collection, below items that are made for it. */
  async #plainPath(subject: Subject): Promise<string | undefined> {
    const { operation, does } = subject;
    if (does === 'read') return undefined;
    if (does === 'create' && subject.resource) await this.#refer(subject);
    if (!operation.path.includes('{')) return operation.path;
    const known = this.#above.get(subject);
    const path = known ?? (await this.#makeAbove(operation));
    if (path === undefined || path.includes('{')) return 'none';
    this.#above.set(subject, path);
    return path;
  }

  async #makeAbove({ id, path }: Operation): Promise<string | undefined> {
    const steps = makeableIn(this.#session.transcript.document, path);
    const name = `above ${id}`;
    const place = await makePlace(this.#session, steps, { name, purpose: { kind: 'call' } });
    return place.path === undefined ? undefined : fillWith(place.path)(path);
  }

  readonly #referred = new Set<Subject>();

  async #refer(subject: Subject): Promise<void> {
    if (this.#referred.has(subject) || !subject.resource) return;
    this.#referred.add(subject);
    await referToOwn(this.#session, [subject.resource]);
  }

  /** The path of a call on the item that a step made, or below it. */
  async #pathOn(made: PlayedStep | undefined, { operation }: Subject): Promise<string> {
    const create = made?.exchange;
    const segment = toSegment(await settledId(this.#session, create));
    if (!create || !made || segment === undefined) return 'none';
    const { read, replace, update, delete: remove } = made.step.subject.resource?.operations ?? {};
    const own = read ?? replace ?? update ?? remove;
    if (!own) return 'none';
    const item = withoutQuery(pathOnItem(own, create.request.path, segment)).split('/');
    const parts = [...item, ...operation.path.split('/').slice(item.length)];
    const isBelow = parts.length > item.length;
    const path = isBelow ? parts.join('/') : pathOnItem(operation, create.request.path, segment);
    return path.includes('{') ? 'none' : path;
  }
}
