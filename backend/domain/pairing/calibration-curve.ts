import type { PairCalibration } from './judgement.ts'

/** Fitted on the training split of the labelled pairs by `scripts/pairing-report.ts --fit`. */
export const PAIR_CALIBRATION: PairCalibration = {
  clear: [
    [0, 0.2],
    [0.31, 0.2],
    [0.32, 0.2172],
    [0.33, 0.31],
    [0.34, 0.4029],
    [0.35, 0.4958],
    [0.36, 0.5886],
    [0.37, 0.6815],
    [0.38, 0.7743],
    [0.39, 0.8672],
    [0.4, 0.9601],
    [0.41, 0.99],
    [1, 0.99],
  ],
  vetoed: [
    [0, 0.01],
    [1, 0.01],
  ],
}
