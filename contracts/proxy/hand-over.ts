import type { RecordedExchange } from '../traffic/recorded-exchange.ts';

/** Hands exchanges over to whoever judges them, without ever holding up those who make them. */
export interface HandOver {
  /** Takes an exchange, or counts it as dropped where too many wait. */
  add(recorded: RecordedExchange): void;
  /** How many exchanges were dropped. */
  dropped(): number;
  /** Resolves once all that was added so far has been taken. */
  flush(): Promise<void>;
}

export type HandOverOptions = {
  /** How much may wait or be in hand, in bytes. */
  maxBytes: number;
  /** How many exchanges are handed over at a time. */
  maxBatch: number;
  /** How long a first exchange waits for others to go with it, in milliseconds. */
  pause: number;
  /** Takes exchanges, in the order in which they ended; those after them wait until it is done. */
  take: (batch: readonly RecordedExchange[]) => Promise<void>;
};

/** What an exchange takes beside its bodies, roughly. */
const headWeight = 4096;

export function createHandOver({ maxBytes, maxBatch, pause, take }: HandOverOptions): HandOver {
  const waiting: RecordedExchange[] = [];
  let held = 0;
  let dropped = 0;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      await take(batch);
      held -= batch.reduce((sum, one) => sum + toWeight(one), 0);
    }
  };
  const start = (after: number) => {
    running ??= new Promise<void>((resolve) => setTimeout(resolve, after)).then(run).finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    add(recorded) {
      const weight = toWeight(recorded);
      if (held + weight > maxBytes) {
        dropped += 1;
        return;
      }
      held += weight;
      waiting.push(recorded);
      void start(pause);
    },
    dropped: () => dropped,
    async flush() {
      while (running || waiting.length > 0) await start(0);
    },
  };
}

function toWeight({ request, response }: RecordedExchange): number {
  return headWeight + (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
}
