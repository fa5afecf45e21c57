import { randomUUID } from 'node:crypto';
import type { Behaviours } from '../mock/extras/behaviours/define.ts';
import { isName, nameProblem } from '../mock/sandboxes/name.ts';
import type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
import { type Address, type AdminClient, TwinError } from './admin-client.ts';
import { type Control, createControl } from './control.ts';

/** A key of the twin. */
export type TwinKey = { key: string; name: string; plan: string };

/** An isolated part of a twin, with its own items, counters, clock, faults and journal. */
export interface Sandbox extends Control {
  readonly name: string;
  /** Base URL of the API, including `/v1`. */
  readonly url: string;
  /** Scheme, host and port of the twin, without a path. */
  readonly origin: string;
  readonly keys: readonly TwinKey[];
  readonly behaviours: {
    /** Has its operations do this besides what they do already, until `reset`. */
    use(behaviours: Behaviours): Promise<void>;
  };
  /**
   * Sends a request to the twin, as the global `fetch` does, but without a socket where the twin was
   * started in this process.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * The first key of a plan, or the key with a name; by default the first key.
   * Throws a TwinError.
   */
  key(planOrName?: string): string;
}

/** A sandbox that you created, and can delete. */
export interface OwnSandbox extends Sandbox, AsyncDisposable {
  delete(): Promise<void>;
}

/** A running twin. Its own methods control its default sandbox. */
export interface Twin extends Sandbox, AsyncDisposable {
  /**
   * Returns a sandbox by name, by default a new name. With options it is created or replaced.
   * Without options an existing one is used, or a new one gets the mock's initial state.
   */
  sandbox(name?: string, options?: SandboxOptions): Promise<OwnSandbox>;
  /** Finishes the requests in progress, and stops the twin if it was started here. */
  close(): Promise<void>;
}

/** How a twin is reached, and what is known of it. */
export type TwinParts = SandboxParts & {
  close: () => Promise<void>;
  /** Has a sandbox use behaviours; left out where the twin runs elsewhere. */
  useBehaviours?: UseBehaviours;
  /** The sandbox that its own methods control, by default the default one. */
  name?: string;
};

/** A twin as functions of its admin. */
export function toTwin({ close, name: ownName, ...parts }: TwinParts): Twin {
  const { client } = parts;
  const send = client.toSend(parts.mount ?? '');
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    client.close();
    return (closing ??= close());
  };
  return {
    ...toSandbox(ownName, parts),
    async sandbox(name = `s-${randomUUID()}`, options) {
      if (name === 'default')
        throw new TwinError('The default sandbox is the mock itself. Use the methods of the mock.');
      if (!isName(name)) throw new TwinError(nameProblem('sandbox', name));
      const place = `sandboxes/${name}`;
      if (options) await send('PUT', place, JSON.stringify(options));
      const own = toSandbox(name, parts);
      if (!options) await own.clock.now();
      const remove = async () => void (await send('DELETE', place));
      const dispose = async () => {
        // One that is gone already, or with its twin, is what is wanted.
        await remove().catch((error) => {
          if (!closing && error.code !== 'not_found') throw error;
        });
      };
      return { ...own, delete: remove, [Symbol.asyncDispose]: dispose };
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

type SandboxParts = {
  address: Address;
  client: AdminClient;
  fetch: Sandbox['fetch'];
  /** The path that an API has before its own, if its process serves several. */
  mount?: string;
  basePath: string;
  keys: readonly TwinKey[];
  useBehaviours?: UseBehaviours;
};

type UseBehaviours = (sandbox: string, behaviours: Behaviours) => Promise<void>;

/** The sandbox of a name, or the default one. */
function toSandbox(
  name: string | undefined,
  { address, mount = '', basePath, keys, client, fetch, useBehaviours }: SandboxParts,
): Sandbox {
  const prefix = mount + (name === undefined ? '' : `/sandboxes/${name}`);
  const nameOf = (given: string) => keys.find(({ key }) => key === given)?.name ?? given;
  const control = createControl(client.toSend(prefix), nameOf);
  return {
    ...control,
    behaviours: {
      async use(behaviours) {
        if (!useBehaviours)
          throw new TwinError(
            'Behaviours are code, which only a twin of this process can use. Start one with createTwin.',
          );
        await useBehaviours(name ?? 'default', behaviours as Behaviours);
      },
    },
    name: name ?? 'default',
    url: `${address.origin}${prefix}${basePath}`,
    origin: address.origin,
    fetch,
    keys,
    key(wanted) {
      const found =
        wanted === undefined
          ? keys[0]
          : keys.find((one) => one.name === wanted || one.plan === wanted);
      if (found) return found.key;
      const known = [...new Set(keys.flatMap((one) => [one.plan, one.name]))].join(', ');
      throw new TwinError(`There is no key of a plan or name "${wanted}". Known are ${known}.`);
    },
  };
}
