import type { FaultsState } from '../../faults/fault-rules.ts';
import type { LatencyState } from '../../faults/latency.ts';
import type { ControlState } from '../../sandboxes/control-state.ts';

/** What calls change of the delays and the faults: counts, and positions of sequences. */
type SequencesState = {
  latency?: number;
  faults: [id: string, calls: number, hits: number, fires: number, draws: number][];
};

/** What calls have changed, as JSON; this is far less than the whole of the faults. */
export function toSequencesText(latency: LatencyState, faults: FaultsState): string {
  const state: SequencesState = {
    ...(latency.position !== undefined && { latency: latency.position }),
    faults: faults.rules.map(({ rule, fires, draws }) => [
      rule.id,
      rule.calls,
      rule.hits,
      fires,
      draws,
    ]),
  };
  return JSON.stringify(state);
}

/** A control state as calls have changed it since. */
export function withSequences(control: ControlState, text: string): ControlState {
  const { latency, faults }: SequencesState = JSON.parse(text);
  const byId = new Map(faults.map((state) => [state[0], state]));
  return {
    ...control,
    latency: { ...control.latency, ...(latency !== undefined && { position: latency }) },
    faults: {
      ...control.faults,
      rules: control.faults.rules.map((saved) => {
        const [, calls, hits, fires, draws] = byId.get(saved.rule.id) ?? [];
        if (calls === undefined || hits === undefined) return saved;
        return {
          rule: { ...saved.rule, calls, hits },
          fires: fires ?? saved.fires,
          draws: draws ?? saved.draws,
        };
      }),
    },
  };
}
