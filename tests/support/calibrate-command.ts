import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { onTestFinished } from 'vitest';
import { runCommand as runInTime } from '../../contracts/calibrate/command.ts';
import { type DeploymentOptions, openDeployment } from '../../tools/lab/deployment.ts';
import { capture } from './capture.ts';
import { makeFolder } from './make-folder.ts';
import { skippingWaits } from './skip-waits.ts';

const runCommand = skippingWaits(runInTime);

/** Describes what a file of pins says of silences, by their ids. */
export type PinsFound = Record<
  string,
  { answer: unknown; evidence: string[]; times: number; confidence: string }
>;

/** Describes what calibrate reports beside the pins. */
export type CalibrationReport = {
  unasked?: string[];
  unpinned?: Record<string, { asked: boolean; reason: string; evidence?: string[] }>;
};

const threeKeys = ['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1'];

/** Calibrates a deployment of the lab that ends with the test. */
export async function calibrateDeployment(
  options: DeploymentOptions,
  { keys = threeKeys, more = [] }: { keys?: string[]; more?: string[] } = {},
) {
  const deployment = await openDeployment(options);
  onTestFinished(() => deployment.close());
  const folder = makeFolder();
  const file = join(folder, 'pins.yaml');
  const given = keys.flatMap((key) => ['--key', key]);
  const ran = await runCalibrate(['--target', deployment.url, ...given, '--out', file, ...more]);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const { actions = [], ...overlay } = (text === undefined ? {} : load(text)) as {
    actions?: { target: string; update: Record<string, unknown> }[];
    'x-calibrated'?: CalibrationReport;
  };
  const pins = Object.fromEntries(
    actions.flatMap(({ target, update }) =>
      update['x-pin'] ? [[target.split("'")[3], update['x-pin']]] : [],
    ),
  ) as PinsFound;
  const calibrated = overlay['x-calibrated'] ?? {};
  return { url: deployment.url, ...ran, file, text, actions, pins, calibrated };
}

/** Runs the command, and gives what it wrote. */
export const runCalibrate = (args: string[]) =>
  capture(() => runCommand(args, { env: {}, command: 'npm run calibrate --' }));
