import type { Generated } from 'kysely'

/** Operational rows. Times are INTEGER ms; ids are made in the app. */
export interface StateSchema {
  feed: FeedTable
  import_run: ImportRunTable
  incident: IncidentTable
  incident_update: IncidentUpdateTable
}

/** How far each venue's feed has been read, so that a restart resumes instead of starting over. */
export interface FeedTable {
  venue: string
  /** First start's backfill reached its end. */
  backfilled_at: number | null
  /** Ended markets have been swept up to here. */
  ended_until: number | null
  /** Trades are complete up to here. */
  trades_until: number | null
}

export interface ImportRunTable {
  id: string
  state: string
  /** JSON: the report of each file, request order. */
  files: string
  started_at: number | null
  ended_at: number | null
  created_at: number
}

export interface IncidentTable {
  id: string
  component: string
  title: string
  impact: string
  started_at: number
  resolved_at: number | null
}

export interface IncidentUpdateTable {
  seq: Generated<number>
  incident_id: string
  at: number
  text: string
}
