import { surveyCases } from '../cases/resource-cases.ts';
import type { ApiDocument } from '../document.ts';
import { listedIds } from './listed.ts';
import type { Session } from './session.ts';

/** Pauses before the lists are asked again, in milliseconds. */
const pauses = [300, 700, 1500];

/** Asks the lists again while they do not show what was created: a deployment may need a moment. */
export async function awaitListed(session: Session, document: ApiDocument): Promise<void> {
  const before = session.transcript.exchanges.length;
  for (const resource of document.resources) {
    const created = session.transcript.exchanges
      .slice(0, before)
      .filter(
        ({ case: { operation, purpose }, response }) =>
          operation === resource.operations.create && purpose.kind === 'create' && (response?.status ?? 0) < 300,
      )
      .map(({ response }) => String((response?.json as Record<string, unknown> | undefined)?.[resource.idProperty]));
    const cases = surveyCases({ document, resource }, 'after');
    for (const [index, pause] of pauses.entries()) {
      const ids = listedIds(session, resource, '(after');
      if (!ids || created.every((id) => ids.has(id))) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
      await session.callAll(cases.map((one) => ({ ...one, id: `${one.id.replace(/\)$/, '')}, ${index + 2})` })));
    }
  }
}
