interface Promised {
  /** `<area>.<subject>.<promise>`, never renamed once a test cites it. */
  readonly id: string
  /** Section of the interface document that makes the promise. */
  readonly section: string
  readonly promise: string
}

/**
 * One promise of the interface document. Tests cite it in square brackets in a name or comment; it
 * is `covered` once a test that would fail without it does, and `open`, with its missing
 * dependency, until then.
 */
export type Requirement =
  | (Promised & { readonly status: 'covered' })
  | (Promised & { readonly status: 'open'; readonly waitsFor: string })

export const covered = (id: string, section: string, promise: string): Requirement => ({
  id,
  section,
  promise,
  status: 'covered',
})

export const open = (
  id: string,
  section: string,
  promise: string,
  waitsFor: string,
): Requirement => ({ id, section, promise, status: 'open', waitsFor })
