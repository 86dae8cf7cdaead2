// The health check of the image: whether the server says that it can serve.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch((error) => error);
if (answer.ok !== true) {
  console.error(answer instanceof Error ? answer.message : await answer.text());
  process.exit(1);
}
