import { setTimeout as sleep } from 'node:timers/promises';
import { createTwin } from 'petstore-twin';

type Patience = { attempts?: number; wait?: (milliseconds: number) => Promise<unknown> };

/**
 * Fetches until the answer is no 429, as the interface asks its clients to (§8): each wait is as
 * long as Retry-After says, and at least twice as long as the one before. A random part keeps many
 * clients from coming back at once.
 */
export async function fetchPatiently(
  url: string,
  init: RequestInit = {},
  { attempts = 5, wait = sleep }: Patience = {},
) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    if (response.status !== 429 || attempt === attempts) return response;
    await response.body?.cancel();
    const asked = Number(response.headers.get('Retry-After')) * 1000;
    const backoff = 250 * 2 ** attempt * (1 + Math.random());
    await wait(Math.max(asked, backoff));
  }
}

/**
 * Calls a twin whose free plan is used up after three calls. Nobody waits for real: the twin's
 * clock is moved instead.
 */
async function demonstrate(): Promise<void> {
  await using twin = await createTwin({ plans: { free: { perMinute: 3, perDay: 1000 } } });
  const headers = { Authorization: `Bearer ${twin.key('free')}` };
  const wait = async (milliseconds: number) => {
    console.log(`429: waiting ${Math.ceil(milliseconds / 1000)} s`);
    await twin.clock.advance(milliseconds);
  };
  for (let call = 1; call <= 5; call++) {
    const response = await fetchPatiently(`${twin.url}/pets?limit=1`, { headers }, { wait });
    console.log(
      `call ${call}: ${response.status}, ${response.headers.get('X-RateLimit-Remaining')} left`,
    );
  }
}

// Run as a program (node backoff.ts), it shows itself at work; imported, it starts nothing.
if (import.meta.main) await demonstrate();
