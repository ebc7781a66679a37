import { join } from 'node:path'
import { compose, type Composition } from './compose.ts'
import { damageIncident } from './damage-incident.ts'
import { endpointAfterContext, inReplay } from './replay/service-replay.ts'
import { createSocketEndpoint } from '../features/data-service/socket/socket-endpoint.ts'
import type { BoundAddress } from '../http/server.ts'
import { mountUpgrade } from '../http/upgrade.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { readDamage } from '../lib/files/damage-journal.ts'
import { PACKAGE_ROOT } from '../lib/files/package-root.ts'

/** Composes a service and returns the functions that serve, start, await and stop it. */
export function createService(deps: Composition) {
  const { config, stores, log, replay } = deps
  const parts = compose(deps)
  const { app, urls, clock, wallClock, running, data, context, condition, features } = parts
  const { worker, access, marketWatch, portfolio, webhooks, watch, forum, theses, hub } = parts

  const stopController = new AbortController()
  let upkeep: Promise<void> = Promise.resolve()
  let contextWork: Promise<unknown> = Promise.resolve()
  let cliLogins: Promise<void> = Promise.resolve()
  let refreshing: Promise<void> = Promise.resolve()
  let trading: Promise<void> = Promise.resolve()
  let expiry: Promise<void> = Promise.resolve()
  let sending: Promise<void> = Promise.resolve()
  let watching: Promise<void> = Promise.resolve()
  let evaluating: Promise<void> = Promise.resolve()
  let workEnded: Promise<void> | null = null
  /** Starts what reads the history once it can be answered; never when the service stops before. */
  const runAfterLoad = async (run: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const shutdown = new Promise<void>((resolve) => {
      stopController.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([data.firstAnswer, shutdown])
    if (!stopController.signal.aborted) await run(stopController.signal)
  }
  return {
    app,
    urls,
    data,
    /** Resolves when every event received so far has been applied to intents, alerts and theses. */
    intentsSettled: async (): Promise<void> => {
      await portfolio.waitUntilSettled()
      await watch.settled()
      await theses.settled()
    },
    /** The same promise while an intent is being processed, else null. */
    pendingIntents: (): Promise<void> | null =>
      portfolio.isIdle ? null : portfolio.waitUntilSettled(),
    /** Paper trading of the users, as backtests report it. */
    paperReports: portfolio.reports,
    context: context.engine,
    dataAccess: access.dataAccess,
    /** Resolves when all work started at this data instant is done. */
    async settle(): Promise<void> {
      do {
        // Tasks that were just woken start on the next turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve))
        await data.settle()
        await context.engine.idle()
        await features.settled()
        await marketWatch.waitUntilSettled()
        await portfolio.waitUntilSettled()
        await watch.settled()
        await theses.settled()
      } while (context.engine.isBusy || !portfolio.isIdle || !watch.isIdle || !theses.isIdle)
    },
    /** Clears the response cache. */
    invalidateAnswers: (): void => running.serving?.invalidateAnswers(),
    /** Whether any client is subscribed to snapshots and worlds. */
    isContextFollowed: (): boolean =>
      hub.clients > 0 || features.readers() > 0 || marketWatch.plannedCount() > 0,
    /** Resolves when no read of the past is running. */
    pastRead: context.pastRead,
    /** Serves requests on a bound port; data starts with `start`. */
    serveOn(bound: BoundAddress, launchSecret: string): void {
      running.serving = bound.serve(replay === undefined ? app : inReplay(app, replay), {
        clock,
        wallClock,
        logger: log,
        addresses: Object.values(urls),
        authenticate: access.authenticate(launchSecret),
        fairUse: config.fairUse,
        trustedProxy: config.trustedProxy,
        limiter: parts.limiter,
        onAnswer: parts.usage.record,
        pageFolder: join(PACKAGE_ROOT, 'dist', 'page'),
      })
      if (config.roles.has('api')) {
        const endpoint = createSocketEndpoint({ hub, access: access.dataAccess, log })
        mountUpgrade(
          bound,
          replay === undefined ? endpoint : endpointAfterContext(endpoint, replay),
        )
        bound.onClose(() => features.closeStreams())
      }
    },
    /**
     * Opens the source and resolves when requests can be answered; those that need the history are
     * answered 503 while a first start reads it. What runs on a schedule begins after that.
     */
    async start(): Promise<{ source: Feeds['source'] }> {
      await access.opened
      cliLogins = access.cliLogins.run(stopController.signal)
      await marketWatch.open()
      await features.open()
      const feeds = await parts.openSource()
      running.feeds = feeds
      await condition.resumeIncidents()
      // Damage repaired by an earlier start that died before it stored an incident.
      for (const damage of readDamage(config.dataDir))
        condition.recordIncident(damageIncident(damage))
      stores.upkeep?.onDamage((damage) => {
        condition.recordIncident(damageIncident(damage))
        if (damage.store === 'history') data.recordDamage()
        running.serving?.invalidateAnswers()
      })
      upkeep = stores.upkeep?.run(stopController.signal) ?? upkeep
      await data.start(feeds)
      if (config.roles.has('ingest')) contextWork = context.run(stopController.signal)
      void condition.watch(stopController.signal)
      if (config.roles.has('api')) {
        await portfolio.open()
        await watch.open()
        await theses.open()
        expiry = forum.run(stopController.signal)
        sending = webhooks.run(stopController.signal)
        refreshing = runAfterLoad((signal) => marketWatch.run(signal))
        trading = runAfterLoad((signal) => portfolio.run(signal))
        watching = runAfterLoad((signal) => watch.run(signal))
        evaluating = runAfterLoad((signal) => theses.run(signal))
      }
      return { source: feeds.source }
    },
    /**
     * Cancels the long-running work of users: jobs, backtests, statements. A stop starts with it.
     */
    cancelWork(): void {
      workEnded ??= worker.close()
      workEnded.catch(() => {})
    },
    /** Makes long reads of the history reject, for a stop that waits on one of them. */
    interruptReads: (): void => stores.history.interrupt(),
    /** Stops reading, finishes accepted work and closes the stores. */
    async stop(): Promise<void> {
      stopController.abort()
      workEnded ??= worker.close()
      // Accepted rows are written first, because the following steps may not finish in time.
      if (replay === undefined) data.flush().catch(() => {})
      hub.close()
      features.closeStreams()
      await contextWork
      await context.close()
      await features.settled()
      await refreshing
      await marketWatch.close()
      await trading
      await portfolio.close()
      await watch.close()
      await expiry
      await sending
      await watching
      await evaluating
      await theses.close()
      await workEnded
      await data.stop()
      await cliLogins
      await parts.usage.close()
      await access.close()
      await upkeep
      await stores.close()
    },
  }
}

export type Service = ReturnType<typeof createService>
