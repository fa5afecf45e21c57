/** The correct deployments of the lab that pins do not mirror, or not in each run, with the reason. */
export const cannotBeMirrored: Readonly<Record<string, string>> = {
  'fair-any-order': 'each list comes in another order',
  'fair-by-name': 'the twin lists by age alone',
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
  'fair-read-a-moment-later': 'the twin shows created items at once',
  'fair-listed-a-moment-later': 'the twin shows created items at once',
  'fair-seen-half-a-second-later': 'the twin shows created items at once',
  'fair-key-shared-in-bursts': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-with-a-run': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-now-and-then': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-steadily': 'others use up its keys, so that not everything can be asked',
  'fair-key-shared-steadily-and-far-away':
    'others use up its keys, so that not everything can be asked',
  'fair-categories-1-to-9': 'the twin has no setting for a bound of categories',
  'fair-category-positive': 'the twin has no setting for a bound of categories',
  'fair-control-characters-refused': 'the twin has no setting for characters of names',
  'fair-validates-before-the-key': 'the twin checks the key first',
  'fair-parameter-before-the-key': 'the twin checks the key first',
  'fair-sliding-ten-seconds-to-the-newest':
    'calls come back while its limit is tried, so that some runs see no 429 to pin',
};
