/** States of a long job: an import, an export, a backup, a backtest. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]
/** States of a job whose process ended before it did. */
export const UNFINISHED_STATES: readonly JobState[] = ['queued', 'running']
