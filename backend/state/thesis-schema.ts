/** Tables of theses. */
export interface ThesisSchema {
  thesis: ThesisTable
  thesis_signal: ThesisSignalTable
  thesis_evaluation: ThesisEvaluationTable
  thesis_state: ThesisStateTable
  thesis_heartbeat: ThesisHeartbeatTable
}

/** A thesis with its tree and edges. */
interface ThesisTable {
  id: string
  user_id: string
  status: string
  /** Of a published thesis. */
  slug: string | null
  /** JSON: the whole thesis. */
  record: string
  created_at: number
  updated_at: number
}

/** Evidence sent to a thesis. */
interface ThesisSignalTable {
  id: string
  thesis_id: string
  /** The evaluation that consumed it; null until then. */
  evaluation_id: string | null
  /** JSON: the whole signal. */
  record: string
  created_at: number
}

interface ThesisEvaluationTable {
  id: string
  thesis_id: string
  /** JSON: the whole evaluation. */
  record: string
  evaluated_at: number
}

/** A thesis as it was from an instant on. */
interface ThesisStateTable {
  id: string
  thesis_id: string
  /** The whole thesis: deflated JSON as base64, or JSON. */
  record: string
  at: number
}

/** Scheduled evaluations of a thesis. */
interface ThesisHeartbeatTable {
  thesis_id: string
  /** JSON: settings, times of the last scans and cost of the month. */
  record: string
  /** Null while nothing is due. */
  next_run_at: number | null
}
