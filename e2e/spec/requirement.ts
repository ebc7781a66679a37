/** One promise of the interface document. Tests cite it in square brackets in a name or comment. */
export interface Requirement {
  /** `<area>.<subject>.<promise>`, never renamed once a test cites it. */
  readonly id: string
  /** Section of the interface document that makes the promise. */
  readonly section: string
  readonly promise: string
  /** `covered` once a test that would fail without it cites it. */
  readonly status: 'covered' | 'open'
}

export const covered = (id: string, section: string, promise: string): Requirement => ({
  id,
  section,
  promise,
  status: 'covered',
})

export const open = (id: string, section: string, promise: string): Requirement => ({
  id,
  section,
  promise,
  status: 'open',
})
