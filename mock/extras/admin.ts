import express, { type Router } from 'express';
import { toFailureAnswer } from '../answers/answer.ts';
import type { Extra, ExtraParts, RoutesOptions } from '../extra.ts';

/** The control of the twin under `/__admin`, with the groups and pages that other extras add to it. */
export const admin: Extra = (options) => {
  let made: Promise<Router> | undefined;
  return {
    mountInFront(app, extras) {
      app.use(async (request, response, next) => {
        if (!/^\/__admin(?:$|\/)/.test(request.path)) return next();
        // Made at the first call: to read its document would delay the start.
        made ??= createRouter(options, extras);
        (await made)(request, response, next);
      });
    },
  };
};

async function createRouter(
  options: RoutesOptions,
  extras: readonly ExtraParts[],
): Promise<Router> {
  const { host, settings, tools, enter } = options;
  const { adminToken, adminOrigins } = settings;
  const { createAdminGroups, mountAdmin, readAdminDescription } = await import('./late.ts');
  const { text, document } = readAdminDescription();
  const core = createAdminGroups(text, options);
  const router = express.Router({ caseSensitive: true, strict: true });
  mountAdmin(router, {
    document,
    groups: Object.assign(core, ...extras.map(({ groups }) => groups)),
    pages: Object.assign({}, ...extras.map(({ adminPages }) => adminPages)),
    enter,
    record: tools.record,
    loopback: host.loopback,
    origins: adminOrigins,
    ...(adminToken !== undefined && { token: adminToken }),
    toAnswer: (error) => toFailureAnswer(error, host.log),
  });
  return router;
}
