import type { PairCalibration } from './judgement.ts'

/** Fitted on the training split of the labelled pairs by `scripts/pairing-report.ts --fit`. */
export const PAIR_CALIBRATION: PairCalibration = {
  clear: [
    [0, 0.01],
    [0.32, 0.01],
    [0.33, 0.0275],
    [0.34, 0.0507],
    [0.35, 0.0739],
    [0.36, 0.0972],
    [0.37, 0.1204],
    [0.38, 0.1436],
    [0.39, 0.4323],
    [0.4, 0.7381],
    [0.41, 0.8864],
    [0.42, 0.9157],
    [0.43, 0.9451],
    [0.44, 0.9745],
    [0.45, 0.99],
    [1, 0.99],
  ],
  vetoed: [
    [0, 0.01],
    [1, 0.01],
  ],
}
