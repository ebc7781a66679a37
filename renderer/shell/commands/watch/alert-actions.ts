import type { Command } from '../command.ts'
import type { AlertSetter } from './set-alert.ts'

/** ALERT with a price sets an alert; without one its pane opens (false). */
export function alert(setter: AlertSetter, command: Command): boolean {
  const { price } = command.args
  if (price === undefined) return false
  if (setter.account.signInState === 'anonymous') {
    setter.showNotice('Sign in to set alerts. ACCOUNT opens the form', 'error')
    return false
  }
  const ticker = setter.marketOf({ ...command, subject: command.subject ?? { kind: 'focus' } })
  if (ticker === null) setter.showNotice('Name or select a market first; $ marks a ticker', 'error')
  else {
    import('./set-alert.ts').then(
      ({ setAlert }) => void setAlert(setter, ticker, Number(price), command.args['side'] ?? null),
      () => setter.showNotice('No alert was set: the service is not reachable', 'error'),
    )
  }
  return true
}
