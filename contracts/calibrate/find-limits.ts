import { bodyOfSize, nameOfLength } from '../cases/calibration-cases.ts';
import type { Case } from '../cases/case.ts';
import type { ApiDocument } from '../description/document.ts';
import type { Session } from '../run/session.ts';
import { isRefused, isStored } from '../silences/creates.ts';
import { type Answered, type Exchange, isAnswered } from '../transcript/exchange.ts';

/** Narrows down how large a body and how long a name may be, where some were refused for that. */
export async function findLimits(session: Session, document: ApiDocument): Promise<void> {
  const [resource] = document.resources;
  const { create } = resource?.operations ?? {};
  if (!resource || !create) return;
  const { exchanges } = session.transcript;
  await narrow(session, {
    ...boundsOf(exchanges, 'body-size', (one) => one.response.status === 413),
    ask: (size) => bodyOfSize(create, size),
    isRefused: (one) => one.response.status === 413,
    isClose: (max, refused) => refused - max <= 1024 || refused <= 1.05 * max,
  });
  await narrow(session, {
    ...boundsOf(exchanges, 'unusual-name', isRefused),
    ask: (length) => nameOfLength(document, resource, length),
    isRefused,
    isClose: (max, refused) => refused - max <= 1,
  });
}

/** The largest that was accepted, and the smallest that was refused. */
type Bounds = { max?: number; refused?: number };

type Search = Bounds & {
  ask: (size: number) => Case | undefined;
  isRefused: (answer: Answered) => boolean;
  /** Whether nothing between the two needs to be asked. */
  isClose: (max: number, refused: number) => boolean;
};

async function narrow(session: Session, search: Search): Promise<void> {
  let { max, refused } = search;
  if (max === undefined || refused === undefined || refused <= max) return;
  const tryOne = async (size: number): Promise<boolean> => {
    const one = search.ask(size);
    const exchange: Exchange | undefined = one && (await session.call(one));
    if (!exchange || !isAnswered(exchange) || exchange.response.status === 429) return false;
    if (search.isRefused(exchange)) refused = Math.min(size, refused as number);
    else max = Math.max(size, max as number);
    return true;
  };
  while (!search.isClose(max, refused))
    if (!(await tryOne(Math.round(Math.sqrt(max * refused))))) return;
  if (refused - max <= 1) return;
  // Limits are round numbers: one is exact if it is accepted, and a byte more is not.
  const round = roundest(max, refused);
  if (await tryOne(round)) await tryOne(round + 1);
}

/** The number from one bound up to another that the largest round number divides. */
function roundest(from: number, below: number): number {
  const units = [1024 * 1024, 1_000_000, 100 * 1024, 100_000, 64 * 1024, 10 * 1024, 10_000, 4096];
  for (const unit of [...units, 1024, 1000, 256, 100, 10]) {
    const number = Math.ceil(from / unit) * unit;
    if (number < below) return number;
  }
  return from;
}

/** What the answers to the probes of a silence show, whose names begin with a number. */
function boundsOf(
  exchanges: readonly Exchange[],
  silence: string,
  isTooLarge: (answer: Answered) => boolean,
): Bounds {
  const sized = exchanges.filter(isAnswered).flatMap((one) => {
    const { purpose } = one.case;
    const size =
      purpose.kind === 'silence' && purpose.silence === silence
        ? Number.parseInt(purpose.probe, 10)
        : Number.NaN;
    return Number.isNaN(size) || one.response.status === 429 ? [] : [{ one, size }];
  });
  const isAccepted = (one: Answered) =>
    silence === 'body-size' ? !isTooLarge(one) : isStored(one);
  const max = sized.filter(({ one }) => isAccepted(one)).map(({ size }) => size);
  const refused = sized.filter(({ one }) => isTooLarge(one)).map(({ size }) => size);
  return {
    ...(max.length > 0 && { max: Math.max(...max) }),
    ...(refused.length > 0 && { refused: Math.min(...refused) }),
  };
}
