import express, { type Router } from 'express';
import { once, oncePer } from '../../common/once-per.ts';
import type { Api } from '../../openapi/index.ts';
import { asksForKeysAlone, isOAuth, usedSchemes } from '../../openapi/model/security.ts';
import { toFailureAnswer } from '../answers/answer.ts';
import { createDocumentedAnswer } from '../call/documented-answer.ts';
import type { Extra, ExtraParts, RoutesHost, RoutesOptions, RoutesTools } from '../extra.ts';
import type { MoveClock } from '../sandboxes/move-clock.ts';
import type { AdminGroups } from './admin/admin.ts';
import { createForcedSteps } from './forced/forced-steps.ts';
import type { RunTasks } from './tasks/task-runner.ts';
import { unchecked } from './unchecked-parts.ts';

/** Modules that are needed with the first call of the admin, or the first page. */
const late = () => import('./late.ts');

/** The control of the twin under `/__admin`, with the groups and pages that other extras add to it. */
export const admin: Extra = (options) => {
  let made: Promise<Router> | undefined;
  return {
    mountInFront(app, extras) {
      app.all(/^\/__admin(?:$|\/)/, async (request, response, next) => {
        // Made at the first call: to read its document would delay the start.
        made ??= createAdmin(options, extras);
        (await made)(request, response, next);
      });
    },
  };
};

async function createAdmin(options: RoutesOptions, extras: readonly ExtraParts[]): Promise<Router> {
  const { host, settings, tools, enter } = options;
  const { adminToken, adminOrigins } = settings;
  const { createAdminGroups, mountAdmin, readAdminDescription } = await late();
  const { text, document } = readAdminDescription();
  const core = createAdminGroups(text, options, extras);
  const router = express.Router({ caseSensitive: true, strict: true });
  mountAdmin(router, {
    document,
    groups: Object.assign(core, ...extras.map(({ groups }) => groups)),
    pages: Object.assign({}, ...extras.map(({ adminPages }) => adminPages)),
    enter,
    record: tools.record,
    followClock: host.siblings?.followClock,
    loopback: host.loopback,
    origins: adminOrigins,
    ...(adminToken !== undefined && { token: adminToken }),
    toAnswer: (error) => toFailureAnswer(error, host.log),
  });
  return router;
}

/** The console: a page of the admin. */
const console: Extra = ({ served, host }) => ({
  adminPages: {
    '/console': async (origin) => {
      return (await late()).toConsolePage(origin, { ...host, ...served });
    },
  },
});

/** The start page with its calls to try, the reference, and the files that pages load. */
const pages: Extra = ({ served, host, settings }) => {
  let opened: Promise<Router> | undefined;
  const open = async () => {
    const router = express.Router({ caseSensitive: true, strict: true });
    (await late()).mountPages(router, { ...host, ...settings, served });
    return router;
  };
  return {
    mountBehind(app) {
      app.all(/^\/(?:$|__pages|__docs)/, async (request, response, next) => {
        opened ??= open();
        (await opened)(request, response, next);
      });
    },
  };
};

/** Parts of all responses that the document describes: media types, headers, sequences. */
const documented: Extra = ({ served: { document } }) => ({
  values: () => ({ documentedOf: (operation) => createDocumentedAnswer(document, operation) }),
});

/** Responses on demand: preferences, faults with their operations of the admin, magic values. */
const forced: Extra = ({ served, settings, tools, sendOfOperations: send }) => {
  const { document, keys } = served;
  return {
    steps: createForcedSteps({ ...tools, ...settings, send, document }),
    groups: {
      async faults() {
        const names = {
          collections: document.resources.map(({ name }) => name),
          operations: document.operations.map(({ id }) => id),
          keys: keys.map(({ name }) => name),
        };
        return (await late()).createFaultHandlers(names);
      },
    },
  };
};

/** The security schemes that a document describes besides keys as bearer tokens. */
const schemes: Extra = async ({ served }) => {
  const { document, keys } = served;
  if (!hasOtherSchemes(document)) return {};
  const { createSecurity } = await import('./schemes/create-security.ts');
  return {
    values(extras) {
      const tokens = extras.find((one) => one.tokens)?.tokens;
      return { security: createSecurity({ document, keys, tokens }) };
    },
  };
};

function hasOtherSchemes(document: Api): boolean {
  const isOther = document.securitySchemes.some(
    (one) => one.type !== 'http' || one.scheme !== 'bearer' || one.words !== undefined,
  );
  return isOther || !asksForKeysAlone(document.operations);
}

/** The OAuth server of a document whose operations ask for its tokens. */
const oauth: Extra = async ({ served, host, tools, enter }) => {
  if (!usedSchemes(served.document.operations).some(isOAuth)) return {};
  const { toOAuthParts } = await import('./oauth/mount-oauth.ts');
  return toOAuthParts({ ...tools, ...served, enter, demoKeys: host.demoKeys });
};

/** Tolerates what servers tolerate in requests, and notes it with them. */
const lenient: Extra = async ({ served: { document }, settings }) => {
  if (settings.strictRequests || document.hint.requests === 'strict') return {};
  const { toLenientParts } = await import('./lenient/lenient.ts');
  return toLenientParts(document);
};

/** Pins: the twin behaves as a deployment was seen to where the interface is silent. */
const pins: Extra = async ({ served }) => {
  if (!served.pins) return {};
  const { toPinnedParts } = await import('./pinned-parts.ts');
  return toPinnedParts(served.pins, served.document);
};

/** Behaviours of the user's own: code of a file, or that is given in code. */
const behaviours: Extra = async (options) => {
  const { behaviours: own } = options.served;
  if (!own) return {};
  const { toBehaviourParts } = await import('./behaviour-parts.ts');
  return toBehaviourParts(own, options);
};

/** The rules of operations, where `x-twin` of the document has some. */
const rules: Extra = async ({ served: { document }, host }) => {
  const { operations, hint } = document;
  if (!hint.rules && !hint.times && !operations.some((one) => one.rules)) return {};
  const { toRulesParts } = await import('./rules-parts.ts');
  return toRulesParts(document, host.log);
};

const kindOfObjects = 'x-kubernetes-group-version-kind';

/** Kinds of objects, of versions of groups, where the extensions of a document say so. */
const cluster: Extra = async (options) => {
  const { operations } = options.served.document;
  if (!operations.some(({ extensions }) => extensions && kindOfObjects in extensions)) return {};
  const { toClusterParts } = await import('./cluster-parts.ts');
  return toClusterParts(options);
};

/** Files that a document lets clients send. */
const uploads: Extra = async ({ served: { document } }) => {
  const takesFiles = document.operations.some(({ kind, otherBody }) =>
    otherBody?.contents.some((one) => !kind || Object.keys(one.files).length > 0),
  );
  if (!takesFiles) return {};
  const { createUploadStep } = await import('./uploads/upload-behaviours.ts');
  return { steps: [{ phase: 'around kind', order: 30, of: createUploadStep(document) }] };
};

/** One runner does the tasks of a twin, whatever is served. */
const runnerOf = oncePer(async (tools: RoutesTools) => {
  const { TaskRunner } = await import('./tasks/task-runner.ts');
  return new TaskRunner(tools);
});

/** Tasks: runs what other extras have to do later, by the clocks of sandboxes. */
const tasks: Extra = ({ served, host, tools }) => {
  let table: RunTasks = {};
  let runner: ReturnType<typeof runnerOf> | undefined;
  return {
    mountInFront(_, extras) {
      table = Object.assign({}, ...extras.map((one) => one.tasks));
      if (Object.keys(table).length === 0 && !tools.taskListener.onTasks) return;
      runner = runnerOf(tools);
      void runner.then((one) => one.follow(table, host.log));
    },
    get moveClock(): MoveClock | undefined {
      return runner && (async (...move) => (await runner)?.move(...move));
    },
    groups: {
      tasks: async () => (await late()).createTaskHandlers(await runner, served.document),
    },
  };
};

/**
 * Returns the secret for signing webhooks if no setting has one: fixed while the twin runs, and
 * logged once.
 */
const secretOf = oncePer(async ({ log }: RoutesHost) => {
  const secret = (await import('./webhook-parts.ts')).makeSecret();
  const line = `Webhooks are signed with ${secret}; --webhook-secret sets another secret.`;
  return { secret, tell: once(() => log.info(line)) };
});

const noWebhooks: AdminGroups = {
  webhooks: async () =>
    (await late()).createWebhookHandlers({
      all: [],
      findEndpoints: async () => [],
      showUrl: String,
    }),
};

/** Webhooks and callbacks that a document describes, or that are asked for. */
const webhooks: Extra = async (options) => {
  const { served, settings, host } = options;
  const isToldOf = settings.webhookUrl.length > 0 || served.document.schemas.makesCalls();
  // What behaviours emit is listed at least.
  if (!isToldOf && !served.behaviours) return { groups: noWebhooks };
  const { toWebhookParts } = await import('./webhook-parts.ts');
  const given = settings.webhookSecret;
  if (given !== undefined) return toWebhookParts(options, given);
  const { secret, tell } = await secretOf(host);
  return { ...toWebhookParts(options, secret), ...(isToldOf && { onServe: tell }) };
};

/** Metrics for Prometheus, which are counted from the first call on. */
const metrics: Extra = ({ served, tools }) => ({
  groups: {
    metrics: async () => (await late()).createMetricsHandlers({ ...tools, keys: served.keys }),
  },
});

/** Tools for agents (Model Context Protocol). */
const mcp: Extra = ({ served, host, settings, tools }) => ({
  groups: {
    async mcp() {
      const { createMcpHandlers } = await import('./mcp/mcp-handlers.ts');
      return createMcpHandlers({ ...served, ...host, ...settings, ...tools });
    },
  },
});

/** Snapshots: the operations of the admin that store and restore the state. */
const snapshots: Extra = ({ served, settings, tools: { sandboxes } }) => ({
  groups: {
    async snapshots() {
      const { createParseSnapshot, createSnapshotHandlers } = await late();
      const { toInitialState } = sandboxes;
      const parse = createParseSnapshot({ ...served, ...settings, toInitialState });
      return createSnapshotHandlers({ keys: served.keys, sandboxes, parse });
    },
  },
});

/** The authority issues certificates for the same names whatever is served. */
const authorityOf = oncePer(async ({ domainCa }: RoutesTools) =>
  (await late()).createAuthority(domainCa),
);

/** Custom domains: the hosts that they are served at, and their operations of the admin. */
const domains: Extra = ({ served, settings, tools, enter }) => {
  const { document } = served;
  const open = once(async () => {
    const { createDomainHandlers, createFindIdentity, createReadDomainRules, createServeDomain } =
      await late();
    const common = {
      ...tools,
      readRules: createReadDomainRules(document),
      authority: await authorityOf(tools),
    };
    return {
      serve: createServeDomain({ ...common, document, enter }),
      findIdentity: createFindIdentity(common),
      handlers: createDomainHandlers({ ...common, ...settings }),
    };
  });
  return {
    serveHost: async (request, response) => (await open()).serve(request, response),
    findIdentity: async (name) => (await open()).findIdentity(name),
    groups: { domains: async () => (await open()).handlers },
  };
};

/** Operations that a real service answers instead of the twin. */
const forward: Extra = async (options) => {
  const { forward: target, forwardOperations, forwardKey } = options.settings;
  const isNamed = target !== undefined || forwardKey !== undefined || forwardOperations.length > 0;
  if (!isNamed) return {};
  const { toForwardParts } = await import('./forward/forward.ts');
  return toForwardParts(options.served.document, options.settings);
};

/** The parts that the mock can do without, by their names. */
export const allExtras: Readonly<Record<string, Extra>> = {
  admin,
  behaviours,
  cluster,
  console,
  documented,
  domains,
  forced,
  forward,
  lenient,
  mcp,
  metrics,
  oauth,
  pages,
  pins,
  rules,
  schemes,
  snapshots,
  tasks,
  unchecked,
  uploads,
  webhooks,
};
