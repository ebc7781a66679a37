import type { Reporter, TestCase } from 'vitest/node'

/** Says why a test failed at first where it passed at a second try: a fault that is still to be found. */
export class SecondTries implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'passed' || errors.length === 0) return
    const reasons = errors.map(({ message, diff }) => [message, diff].filter(Boolean).join('\n'))
    process.stdout.write(`second try: ${test.fullName}\n${reasons.join('\n')}\n`)
  }
}
