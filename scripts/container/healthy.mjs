// Health check of the image: succeeds if the server reports that it is ready.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch((error) => error);
if (answer.ok !== true) {
  console.error(answer instanceof Error ? answer.message : await answer.text());
  process.exit(1);
}
