const DIRECTIVE = /^(\/\/|\/\*)\s*(es|ox)lint(-|\b)/

/** True for a comment that disables, enables or configures lint rules. */
export function isLintDirective(comment: string): boolean {
  return DIRECTIVE.test(comment)
}
