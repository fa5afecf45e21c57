import { findResource } from '../../openapi/model/api.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import { recordsOf } from '../transcript/ledger.ts';
import { linkCases } from '../transcript/link-cases.ts';
import type { Turn } from './turn.ts';

/**
 * Follows the links of answers to reads, each once, from the last answer that has its values. Where one
 * leads nowhere, its answer is asked for again, as what it named may be gone.
 */
export async function followLinks({ session, document }: Turn): Promise<void> {
  const { transcript } = session;
  const exchanges = transcript.exchanges.filter(isAnswered);
  const followed = new Set(
    exchanges.flatMap(({ case: { id, purpose } }) => (purpose.kind === 'link' ? [id] : [])),
  );
  const isThere = (exchange: Answer) => {
    const resource = findResource(document, exchange.case.operation);
    const { made } = exchange;
    if (exchange.case.method === 'GET') return true;
    const record = resource && recordsOf(transcript, resource).find(({ id }) => id === made?.id);
    return made?.whose === 'own' && record !== undefined && record.deleted.length === 0;
  };
  const kinds = ['list', 'read', 'create', 'call'];
  for (const exchange of exchanges.toReversed()) {
    const { purpose, credential } = exchange.case;
    const isPlain = kinds.includes(purpose.kind) && credential === 'valid';
    if (!isPlain || exchange.response.status >= 300 || !isThere(exchange)) continue;
    for (const one of linkCases(transcript.document, exchange)) {
      if (followed.has(one.id) || session.isShortOfCalls()) continue;
      followed.add(one.id);
      const answer = await session.call(one);
      const isNowhere = [404, 410].includes(answer?.response?.status ?? 0);
      if (!isNowhere || exchange.case.method !== 'GET') continue;
      const { path } = exchange.request;
      await session.call({ ...exchange.case, path, id: `${exchange.case.id}, after its link` });
    }
  }
}
