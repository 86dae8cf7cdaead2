// A process that owns an embedded Postgres: argument 1 is the data folder, argument 2 may be `sync` for one that also
// survives a crash of the machine. It prints one line of JSON when it has started or failed, stops in order on SIGTERM,
// and may be killed.
import { startEmbedded } from '#db/embedded/start.ts';

const [, , folder = '', mode] = process.argv;
try {
  const server = await startEmbedded(folder, { sync: mode === 'sync' });
  process.on('SIGTERM', () => {
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  setInterval(() => undefined, 1_000);
  console.log(JSON.stringify({ ownerUrl: server.ownerUrl, adopted: server.adopted }));
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }));
}
