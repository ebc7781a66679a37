export const THESIS_STATUSES = [
  'forming',
  'active',
  'paused',
  'killed',
  'dormant',
  'resolved',
] as const
export type ThesisStatus = (typeof THESIS_STATUSES)[number]
export const THESIS_OUTCOMES = ['yes', 'no', 'void'] as const
export type ThesisOutcome = (typeof THESIS_OUTCOMES)[number]

/** States that the owner may set; "monitoring" is read as active. */
export const SETTABLE_THESIS_STATUSES = [
  'active',
  'paused',
  'killed',
  'dormant',
  'resolved',
  'monitoring',
] as const

const BY_OWNER: Readonly<Record<ThesisStatus, readonly ThesisStatus[]>> = {
  forming: [],
  active: ['paused', 'killed', 'dormant', 'resolved'],
  paused: ['active', 'killed', 'dormant', 'resolved'],
  killed: ['active', 'dormant', 'resolved'],
  dormant: ['active', 'resolved'],
  resolved: ['active'],
}

/** Whether the owner may change a status to another one. */
export const mayBecome = (from: ThesisStatus, to: ThesisStatus): boolean =>
  BY_OWNER[from].includes(to)

/** Whether evaluations by request and edits of the tree are allowed. */
export const isOpenThesis = (status: ThesisStatus): boolean =>
  status === 'active' || status === 'paused'
