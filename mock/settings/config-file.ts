import { nearestName } from './nearest-name.ts';
import { readJsonFile } from './read-file.ts';
import { settingList } from './setting-list.ts';
import { UsageError } from './usage-error.ts';

/** Reads the `--config` file: settings by their flags. Throws {@link UsageError}. */
export function readConfigFile(file: string): Readonly<Record<string, unknown>> {
  const content = readJsonFile(file, '--config');
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`${file} must hold a JSON object.`);
  const known = settingList.map(({ flag }) => flag);
  const unknown = Object.keys(content).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, known);
    const advice = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    throw new UsageError(
      `${file} has an unknown setting "${unknown}".${advice} See --help, which lists them all.`,
    );
  }
  const nested = Object.entries(content).find(([, value]) => typeof value === 'object');
  if (nested)
    throw new UsageError(`"${nested[0]}" in ${file} must be a string, a number or true or false.`);
  return content as Record<string, unknown>;
}
