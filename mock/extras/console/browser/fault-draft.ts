import type { FaultName } from '../../../faults/fault-rules.ts';
import { toNumberOrText } from '../../pages/browser/words.ts';

/** The effect of each connection fault, as a client sees it. */
export const faultTexts: Readonly<Record<FaultName, string>> = {
  CONNECTION_RESET_BY_PEER: 'Reset the connection (TCP)',
  EMPTY_RESPONSE: 'Close it without a byte',
  MALFORMED_RESPONSE_CHUNK: 'Send the headers of a 200, then an invalid chunk',
  RANDOM_DATA_THEN_CLOSE: 'Send bytes that are not HTTP',
};

/** The responses that a fault can have. */
export const answers = { status: 'A status', ...faultTexts, delay: 'The same, only later' };

/** A fault as it is being filled in; what is empty is left out. */
export type FaultDraft = {
  operation: string;
  key: string;
  answer: keyof typeof answers;
  status: string;
  milliseconds: string;
  times: string;
};

export const newFault: FaultDraft = {
  operation: '',
  key: '',
  answer: 'status',
  status: '503',
  milliseconds: '',
  times: '',
};

/** The rule of a draft. */
export function toFault(draft: FaultDraft): object {
  const { operation, key, answer, status, milliseconds, times } = draft;
  const isStatus = answer === 'status';
  return {
    ...(operation !== '' && { operation }),
    ...(key !== '' && { key }),
    ...(times.trim() !== '' && { times: toNumberOrText(times) }),
    ...(isStatus && { status: toNumberOrText(status) }),
    ...(!isStatus && answer !== 'delay' && { fault: answer }),
    ...(milliseconds.trim() !== '' && {
      delay: { type: 'fixed', milliseconds: toNumberOrText(milliseconds) },
    }),
  };
}
