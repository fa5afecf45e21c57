import { createRandom } from '../random.ts';
import { type Deployment, type DeploymentOptions, openDeployment } from './deployment.ts';
import { readingCountersLate } from './settings/late-counters.ts';
import { openProxy } from './settings/proxy.ts';
import { openRelay } from './settings/relay.ts';
import { openReplicas } from './settings/replicas.ts';

/** The environment of a deployment: its place, and any servers in front of it. */
export type Setting = {
  about: string;
  /** Starts a deployment of the lab there. */
  open: (options: DeploymentOptions) => Promise<Deployment>;
  /** Puts a server that runs already there; undefined where that cannot be. */
  front?: (behind: Deployment) => Promise<Deployment>;
};

export type SettingName = 'plain' | 'parallel' | 'latency' | 'tls' | 'proxy' | 'replicas';

/** Milliseconds that each way takes, to the server and back. */
const farAway = { there: 75, back: 75 };

/**
 * How long a worker waits at most before it counts a call, before it reads the counter, and before
 * it answers.
 */
const longestWait = 30;

/** Every setting that a row may be judged in. */
export const settings: Record<SettingName, Setting> = {
  plain: {
    about: 'the deployment as it is',
    open: openDeployment,
    front: async (behind) => behind,
  },
  parallel: {
    about:
      'several workers answer calls in any order, and read counters after later calls changed them',
    open: async (options) => {
      const pause = createRandom(1);
      const mutate = readingCountersLate(options.mutate, () => pause() * longestWait);
      return openInParallel(await openDeployment({ ...options, mutate }));
    },
    front: openInParallel,
  },
  latency: {
    about: 'a response takes 150 ms: 75 ms each way',
    open: async (options) => openFarAway(await openDeployment(options)),
    front: openFarAway,
  },
  tls: {
    about: 'HTTPS, with a certificate that verify trusts',
    open: async (options) => openRelay([await openDeployment(options)], { tls: true }),
    front: (behind) => openRelay([behind], { tls: true }),
  },
  proxy: {
    about:
      'a reverse proxy buffers, compresses, reuses connections, and sends its own Date, Server and Via',
    open: async (options) => openProxy(await openDeployment(options)),
    front: openProxy,
  },
  replicas: {
    about:
      'two servers answer in turn with one store and one set of counters, one of them 100 ms behind',
    open: openReplicas,
  },
};

function openFarAway(behind: Deployment): Promise<Deployment> {
  return openRelay([behind], { travel: () => farAway });
}

function openInParallel(behind: Deployment): Promise<Deployment> {
  const random = createRandom(2);
  return openRelay([behind], {
    travel: () => ({ there: random() * longestWait, back: random() * longestWait }),
  });
}
