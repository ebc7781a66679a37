import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startHttpsReceiver } from '../../backend/testing/https-receiver.ts'
import { replaced, type RecordExample } from './recorder.ts'

/** Watched objects and alerts. */
export async function recordWatch(record: RecordExample, ticker: string): Promise<void> {
  await record('watch.identify', { request: { text: 'rate cut' } })
  const { id: object } = await record('watch.create', {
    request: { ticker, note: 'Before the December decision' },
  })
  const ofObject = { parameters: { id: String(object) } }
  const { id: rule } = await record('alert.create', {
    request: { ticker, condition: 'price_above', threshold: 70 },
  })
  const ofRule = { parameters: { id: String(rule) } }
  await record('alerts.get', ofRule)
  await record('alerts.change', { ...ofRule, request: { threshold: 75 } })
  await record('alerts.test', ofRule)
  await record('alerts.deliveries')
  await record('alerts.list')
  await record('watch.list')
  await record('watch.get', ofObject)
  await record('watch.change', { ...ofObject, request: { label: 'December decision' } })
  await record('watch.refresh', ofObject)
  await record('alerts.remove', ofRule)
  await record('watch.remove', ofObject)
}

/** Webhook endpoints with a receiver on this machine. */
export async function recordWebhooks(record: RecordExample): Promise<void> {
  const receiver = await startHttpsReceiver()
  setDefaultCACertificates([...getCACertificates('default'), receiver.certificate])
  replaced.push([receiver.url, 'https://hooks.example.com/augury'])
  replaced.push([/whsec_[\w-]{43}/g, `whsec_${'0'.repeat(43)}`])
  const { id } = await record('webhooks.create', {
    request: { url: receiver.url, label: 'Trading desk', events: ['alert.fired'] },
  })
  const ofEndpoint = { parameters: { id: String(id) } }
  const { deliveryId } = await record('webhooks.test', { ...ofEndpoint, request: {} })
  const ofDelivery = { parameters: { id: String(id), deliveryId: String(deliveryId) } }
  await record('webhooks.deliveries', ofEndpoint)
  await record('webhooks.delivery', ofDelivery)
  await record('webhooks.delivery.replay', { ...ofDelivery, request: {} })
  await record('webhooks.replay', { ...ofEndpoint, request: { since: '24h' } })
  await record('webhooks.rotate', { ...ofEndpoint, request: { graceSeconds: 3_600 } })
  await record('webhooks.change', { ...ofEndpoint, request: { events: ['alert.fired'] } })
  await record('webhooks.resume', { ...ofEndpoint, request: {} })
  await record('webhooks.get', ofEndpoint)
  await record('webhooks.list')
  await record('webhooks.remove', ofEndpoint)
  await receiver.close()
}
