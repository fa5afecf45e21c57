import type { ClockState } from '../clock.ts';
import type { LimiterState } from '../limits/limiter.ts';
import type { Collections } from '../state/store.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';

/**
 * What a sandbox begins with: the options that it was given, its settings, and the items that they
 * make.
 */
export type Beginning = { options: SandboxOptions; settings: SandboxSettings; seeds: Collections };

/**
 * All of a sandbox that a snapshot keeps: what it began with, its items, its counters and bans, and
 * its clock.
 */
export type SandboxState = {
  beginning: Beginning;
  collections: Collections;
  limits: LimiterState;
  clock: ClockState;
};
