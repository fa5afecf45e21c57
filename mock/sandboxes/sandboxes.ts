import type { Sandbox } from './sandbox.ts';

/** The name of the sandbox of requests that name none. */
const defaultName = 'default';

/** The sandboxes of a twin, by name. */
export interface Sandboxes {
  /** The one of requests that name none. */
  readonly usual: Sandbox;
  /** The sandbox of a name, made at its first use. */
  get(name: string): Sandbox;
  close(): Promise<void>;
}

/** Whether a text can name a sandbox. */
export function isSandboxName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63})$/.test(text);
}

/** Keeps sandboxes; `open` makes the one of a name. */
export function createSandboxes(open: (name: string) => Sandbox): Sandboxes {
  const usual = open(defaultName);
  const byName = new Map([[defaultName, usual]]);
  return {
    usual,
    get(name) {
      let sandbox = byName.get(name);
      if (!sandbox) byName.set(name, (sandbox = open(name)));
      return sandbox;
    },
    close: async () => {
      for (const { store } of byName.values()) await store.close();
    },
  };
}
