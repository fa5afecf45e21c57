/** The correct deployments of the lab that pins do not mirror, or not in each run, with the reason. */
export const cannotBeMirrored: Readonly<Record<string, string>> = {
  'fair-any-order': 'each list comes in another order',
  'fair-orders-change': 'the payload differs from call to call',
  'fair-proxy-extra-members': 'the proxy words errors of some operations in another way',
  'fair-two-replicas': 'whether a created item is seen depends on the replica',
  'fair-three-replicas': 'whether a created item is seen depends on the replica',
  'fair-401-counted-by-address':
    'what is left without a key counts down, and the twin counts for keys alone',
  'fair-401-limited':
    'callers without a key are refused after a while, and the twin counts for keys alone',
  'fair-others-delete': 'another client removes animals while the run goes on',
  'fair-others-delete-often': 'another client removes animals while the run goes on',
  'fair-others-delete-the-newest': 'another client removes animals while the run goes on',
  'fair-empty-store': 'which animal is the first depends on what the run creates first',
  'fair-read-a-moment-later': 'whether the delay shows depends on when the run looks',
  'fair-listed-a-moment-later': 'whether the delay shows depends on when the run looks',
  'fair-seen-half-a-second-later': 'whether the delay shows depends on when the run looks',
  'fair-key-shared-in-bursts': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-with-a-run': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-now-and-then': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-steadily': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-steadily-and-far-away':
    'others use up its keys, so that not everything can be asked',
  'fair-one-second-window': 'whether the length of its windows shows depends on when the run looks',
  'fair-two-second-window': 'whether the length of its windows shows depends on when the run looks',
  'fair-two-second-window-and-ban':
    'whether the length of its windows shows depends on when the run looks',
  'fair-sliding-log-of-a-key-used-before':
    'whether the length of its windows shows depends on when the run looks',
  'fair-sliding-ten-seconds-to-the-newest':
    'calls come back while its limit is tried, so that some runs see no 429 to pin',
};
