"""MCP server of ours with the tools, resources and prompts that the conformance suite calls.

The suite tests a protocol through a vocabulary of its own (`test_simple_text`, `test://static-text`). No server for
users has it. It is added here to the real one: the gate, the endpoint, the sessions, the capabilities, the definitions
of the tools and the protection of `requestState` are those that users have.
"""

import base64
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import trio
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListRootsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    TextContent,
    TextResourceContents,
    Tool,
    UnsubscribeRequestParams,
)

from agentbrowser.mcp.elicitation import Context
from agentbrowser.mcp.server import ToolServer

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

Result = CallToolResult | InputRequiredResult
Handler = Callable[[Context, CallToolRequestParams], Awaitable[Result]]

IMAGE: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="  # one pixel
)
SOUND: Final = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0"
).decode()
STEP_S: Final = 0.05
"""Pause between notifications, which the suite requires."""
CHOICES: Final = ["option1", "option2", "option3"]
TITLED: Final = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
TEXT_URI, BINARY_URI, WATCHED_URI = "test://static-text", "test://static-binary", "test://watched-resource"
TEMPLATE_HEAD, TEMPLATE_TAIL = "test://template/", "/data"
PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}

_tools: Final[dict[str, tuple[Handler, dict[str, Any]]]] = {}


def tool(**properties: Any) -> Callable[[Handler], Handler]:
    """Add a function as the tool `test_…` of its name, with a schema for each of its arguments."""

    def add(handler: Handler) -> Handler:
        _tools[f"test_{handler.__name__}"] = handler, {"type": "object", "properties": properties}
        return handler

    return add


def text(words: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=words)], is_error=is_error)


def resource_of(uri: str, words: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type="text/plain", text=words)
    return EmbeddedResource(type="resource", resource=contents)


def image() -> ImageContent:
    return ImageContent(type="image", data=IMAGE, mime_type="image/png")


def asked(message: str, **properties: Any) -> ElicitRequest:
    """Return an elicitation with these properties, all of which are required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sampled(words: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=words))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=100))


def name_request() -> ElicitRequest:
    return asked("What is your name?", name={"type": "string"})


def confirmation() -> ElicitRequest:
    return asked("Continue?", ok={"type": "boolean"})


# Results of each kind


@tool()
async def simple_text(_: Context, __: CallToolRequestParams) -> Result:
    return text("This is a simple text response for testing.")


@tool()
async def image_content(_: Context, __: CallToolRequestParams) -> Result:
    return CallToolResult(content=[image()])


@tool()
async def audio_content(_: Context, __: CallToolRequestParams) -> Result:
    return CallToolResult(content=[AudioContent(type="audio", data=SOUND, mime_type="audio/wav")])


@tool()
async def embedded_resource(_: Context, __: CallToolRequestParams) -> Result:
    return CallToolResult(content=[resource_of("test://embedded-resource", "This is an embedded resource content.")])


@tool()
async def multiple_content_types(_: Context, __: CallToolRequestParams) -> Result:
    mixed: list[ContentBlock] = [TextContent(type="text", text="Multiple content types test:"), image()]
    return CallToolResult(content=[*mixed, resource_of("test://mixed-content-resource", '{"test": "data"}')])


@tool(region={"type": "string", "x-mcp-header": "Region"})
async def header(_: Context, params: CallToolRequestParams) -> Result:
    return text(str(params.arguments))


@tool()
async def error_handling(_: Context, __: CallToolRequestParams) -> Result:
    return text("This tool intentionally returns an error for testing", is_error=True)


# Notifications and requests while a tool runs


@tool()
async def tool_with_logging(context: Context, _: CallToolRequestParams) -> Result:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await trio.sleep(STEP_S)
    return text("logged")


_tools["test_logging_tool"] = _tools["test_tool_with_logging"]


@tool()
async def tool_with_progress(context: Context, _: CallToolRequestParams) -> Result:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await trio.sleep(STEP_S)
    return text("done")


@tool(prompt={"type": "string"})
async def sampling(context: Context, params: CallToolRequestParams) -> Result:
    request = sampled(str((params.arguments or {}).get("prompt"))).params
    reply = await context.session.create_message(
        request.messages, max_tokens=request.max_tokens, related_request_id=context.request_id
    )
    return text(f"LLM response: {reply.content}")


async def elicited(context: Context, message: str, properties: Mapping[str, Any]) -> Result:
    schema = {"type": "object", "properties": dict(properties), "required": []}
    answer = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return text(f"Elicitation completed: action={answer.action}, content={json.dumps(answer.content)}")


@tool(message={"type": "string"})
async def elicitation(context: Context, params: CallToolRequestParams) -> Result:
    message = str((params.arguments or {}).get("message"))
    return await elicited(context, message, {"response": {"type": "string", "description": "User's response"}})


@tool()
async def elicitation_sep1034_defaults(context: Context, _: CallToolRequestParams) -> Result:
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await elicited(context, "Please review the values.", fields)


@tool()
async def elicitation_sep1330_enums(context: Context, _: CallToolRequestParams) -> Result:
    fields = {
        "untitledSingle": {"type": "string", "enum": CHOICES},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": CHOICES}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    }
    return await elicited(context, "Please choose.", fields)


# Questions in the stateless era


@tool()
async def input_required_result_elicitation(_: Context, params: CallToolRequestParams) -> Result:
    answer = (params.input_responses or {}).get("user_name")
    if isinstance(answer, ElicitResult) and isinstance((answer.content or {}).get("name"), str):
        return text(f"Hello, {(answer.content or {})['name']}!")
    return InputRequiredResult(input_requests={"user_name": name_request()})


_tools["test_streaming_elicitation"] = _tools["test_input_required_result_elicitation"]


@tool()
async def input_required_result_sampling(_: Context, params: CallToolRequestParams) -> Result:
    if "capital" in (params.input_responses or {}):
        return text("The model has answered.")
    return InputRequiredResult(input_requests={"capital": sampled("What is the capital of France?")})


@tool()
async def input_required_result_list_roots(_: Context, params: CallToolRequestParams) -> Result:
    if "roots" in (params.input_responses or {}):
        return text("The client has listed its roots.")
    return InputRequiredResult(input_requests={"roots": ListRootsRequest()})


@tool()
async def input_required_result_request_state(_: Context, params: CallToolRequestParams) -> Result:
    if "confirm" in (params.input_responses or {}) and params.request_state == "waiting":
        return text("state-ok")
    return InputRequiredResult(input_requests={"confirm": confirmation()}, request_state="waiting")


_tools["test_input_required_result_tampered_state"] = _tools["test_input_required_result_request_state"]


@tool()
async def input_required_result_multiple_inputs(_: Context, params: CallToolRequestParams) -> Result:
    requests: dict[str, Any] = {"user_name": name_request(), "greeting": sampled("Greet me.")}
    requests["roots"] = ListRootsRequest()
    if requests.keys() <= (params.input_responses or {}).keys():
        return text("All answers are here.")
    return InputRequiredResult(input_requests=requests, request_state="waiting")


@tool()
async def input_required_result_multi_round(_: Context, params: CallToolRequestParams) -> Result:
    answers = params.input_responses or {}
    if params.request_state == "second" and "step2" in answers:
        return text("Both answers are here.")
    if params.request_state == "first" and "step1" in answers:
        question = asked("Step 2: What is your favorite color?", color={"type": "string"})
        return InputRequiredResult(input_requests={"step2": question}, request_state="second")
    question = asked("Step 1: What is your name?", name={"type": "string"})
    return InputRequiredResult(input_requests={"step1": question}, request_state="first")


@tool()
async def input_required_result_capabilities(context: Context, _: CallToolRequestParams) -> Result:
    has = context.session.client_capabilities
    requests: dict[str, Any] = {}
    if has is not None and has.sampling is not None:
        requests["sample"] = sampled("Say hello.")
    if has is not None and has.elicitation is not None:
        requests["user_name"] = name_request()
    return InputRequiredResult(input_requests=requests, request_state="waiting")


@tool()
async def missing_capability(context: Context, _: CallToolRequestParams) -> Result:
    has = context.session.client_capabilities
    if has is None or has.sampling is None:
        required: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "The client must declare sampling.", data=required)
    return text("sampling is declared")


class ConformanceServer(ToolServer):
    """The server for users, with the vocabulary of the suite."""

    def build(self) -> "Server[Any]":
        server = super().build()
        bus = InMemorySubscriptionBus()

        async def change(event: Any) -> Result:
            await bus.publish(event)
            return text("changed")

        _tools["test_trigger_tool_change"] = (lambda _, __: change(ToolsListChanged())), {"type": "object"}
        _tools["test_trigger_prompt_change"] = (lambda _, __: change(PromptsListChanged())), {"type": "object"}
        add = server.add_request_handler
        add("prompts/get", GetPromptRequestParams, get_prompt)
        add("completion/complete", CompleteRequestParams, complete)
        add("logging/setLevel", SetLevelRequestParams, accept)
        add("resources/subscribe", SubscribeRequestParams, accept)
        add("resources/unsubscribe", UnsubscribeRequestParams, accept)
        add("resources/templates/list", PaginatedRequestParams, list_templates)
        add("subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(bus))
        return server

    async def list_tools(self, context: Context, page: PaginatedRequestParams | None) -> ListToolsResult:
        ours = (await super().list_tools(context, page)).tools
        suite = [Tool(name=name, description=name, input_schema=schema) for name, (_, schema) in _tools.items()]
        return ListToolsResult(tools=[*ours, *suite])

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> Result:
        if params.name not in _tools:
            return await super().call_tool(context, params)
        handler, _ = _tools[params.name]
        return await handler(context, params)

    async def list_resources(self, context: Context, page: PaginatedRequestParams | None) -> ListResourcesResult:
        ours = (await super().list_resources(context, page)).resources
        suite = [Resource(uri=uri, name=uri) for uri in (TEXT_URI, BINARY_URI, WATCHED_URI)]
        return ListResourcesResult(resources=[*ours, *suite])

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        if uri == BINARY_URI:
            return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type="image/png", blob=IMAGE)])
        if uri in (TEXT_URI, WATCHED_URI):
            words = "This is the content of the static text resource."
        elif uri.startswith(TEMPLATE_HEAD) and uri.endswith(TEMPLATE_TAIL):
            id_ = uri.removeprefix(TEMPLATE_HEAD).removesuffix(TEMPLATE_TAIL)
            words = json.dumps({"id": id_, "templateTest": True, "data": f"Data for ID: {id_}"})
        else:
            return await super().read_resource(context, params)
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="text/plain", text=words)])

    async def list_prompts(self, _: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(
            prompts=[
                Prompt(
                    name=name,
                    description=name,
                    arguments=[PromptArgument(name=one, description=one, required=True) for one in arguments],
                )
                for name, arguments in PROMPTS.items()
            ]
        )


async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult | InputRequiredResult:
    given = params.arguments or {}
    content: list[ContentBlock]
    match params.name:
        case "test_simple_prompt":
            content = [TextContent(type="text", text="This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            words = f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"
            content = [TextContent(type="text", text=words)]
        case "test_prompt_with_embedded_resource":
            content = [resource_of(given["resourceUri"], "Embedded resource content for testing.")]
        case "test_prompt_with_image":
            content = [image()]
        case "test_input_required_result_prompt" if "user_context" in (params.input_responses or {}):
            content = [TextContent(type="text", text="Use the context.")]
        case "test_input_required_result_prompt":
            question = asked("What context should the prompt use?", context={"type": "string"})
            return InputRequiredResult(input_requests={"user_context": question})
        case _:
            raise MCPError(INVALID_PARAMS, "There is no such prompt.")
    return GetPromptResult(messages=[PromptMessage(role="user", content=one) for one in content])


async def complete(_: Context, __: CompleteRequestParams) -> CompleteResult:
    return CompleteResult(completion=Completion(values=[], total=0, has_more=False))


async def accept(_: Context, __: Any) -> EmptyResult:
    return EmptyResult()


async def list_templates(_: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    template = ResourceTemplate(name="template", uri_template=f"{TEMPLATE_HEAD}{{id}}{TEMPLATE_TAIL}")
    return ListResourceTemplatesResult(resource_templates=[template])
