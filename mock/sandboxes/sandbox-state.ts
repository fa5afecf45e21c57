import type { ClockState } from '../clock.ts';
import type { LimiterState, LimitMode } from '../limits/limiter.ts';
import type { LimitPolicy } from '../limits/plans.ts';
import type { Collections } from '../state/store.ts';

/** What a sandbox goes by: the seed of its items, how many of each kind it begins with, and how calls are limited. */
export type SandboxSettings = { seed: number; pets: number; policy: LimitPolicy; rateLimits: LimitMode };

/** What a sandbox begins with: its settings, and the items that they make. */
export type Beginning = { settings: SandboxSettings; seeds: Collections };

/** All of a sandbox that a snapshot keeps: what it began with, its items, its counters and bans, and its clock. */
export type SandboxState = { beginning: Beginning; collections: Collections; limits: LimiterState; clock: ClockState };
